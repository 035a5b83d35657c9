import { atom, readonlyType } from 'nanostores'
import { t } from '../../contract/texts.ts'
import { assertShopError, ShopError, toErrorText, type ErrorCode } from '../../errors.ts'
import { UNDO_WINDOW } from '../../time.ts'
import { MESSAGES } from '../../messages.ts'
import { notify } from '../toasts.ts'

interface UndoOffer {
  text: string
  undo: () => Promise<unknown>
}

const $state = atom<UndoOffer | undefined>()
let timer: ReturnType<typeof setTimeout> | undefined

export const $undo = readonlyType($state)

export function offerUndo(offer: UndoOffer): void {
  $state.set(offer)
  resumeUndo()
}

/** While the undo bar has the pointer or the focus. */
export function pauseUndo(): void {
  clearTimeout(timer)
}

export function resumeUndo(): void {
  clearTimeout(timer)
  timer = setTimeout(dismissUndo, UNDO_WINDOW)
}

export function dismissUndo(): void {
  clearTimeout(timer)
  $state.set(undefined)
}

export async function undoLast(): Promise<void> {
  const offer = $state.get()
  dismissUndo()
  if (!offer) return
  try {
    await offer.undo()
    notify({ title: t('Undone') })
  } catch (error) {
    const text = toErrorText(assertShopError(error), '')
    notify({ title: t('This could not be undone.'), text, kind: 'destructive' })
  }
}

export function deleteOnce<Reply>(
  request: Promise<Reply>,
  notFound: ErrorCode
): Promise<Reply | undefined> {
  return request.catch((error: unknown) => {
    if (!(error instanceof ShopError) || error.code !== notFound) throw error
    return undefined
  })
}

export function orReload<Reply>(
  request: Promise<Reply>,
  load: () => Promise<unknown>
): Promise<Reply> {
  return request.catch(async (error: unknown) => {
    if (error instanceof ShopError && (error.code === 'EDIT_CONFLICT' || error.replyStatus === 404))
      await load()
    throw error
  })
}

/** A new toast replaces an older one with the same `topic`. */
export async function toastErrors(
  action: () => Promise<unknown>,
  title: string,
  topic?: string
): Promise<ShopError | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    if (!(error instanceof ShopError)) throw error
    notifyFailure(title, error, topic)
    return error
  }
}

export function notifyFailure(title: string, error: ShopError, topic?: string): void {
  const text = toErrorText(error, MESSAGES.tryAgain)
  notify({ title, text, kind: 'destructive', ...(topic !== undefined && { topic }) })
}
