import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ShopError, toErrorText } from '#lib/errors.ts'
import { notify } from '#lib/stores/toasts.ts'

/**
 * Shows a ShopError as a toast, and returns it. A new toast replaces an older one with the same
 * `topic`.
 */
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
    const text = toErrorText(error, ADMIN_MESSAGES.tryAgain)
    notify({ title, text, kind: 'destructive', ...(topic !== undefined && { topic }) })
    return error
  }
}
