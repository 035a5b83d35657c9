import { atom, readonlyType } from 'nanostores'
import { api } from '../../api.ts'
import type { Bell } from '../../contract/admin.ts'
import { BELL_KINDS, type BellKind } from '../../contract/names.ts'
import { language, t } from '../../contract/texts.ts'
import { ShopError } from '../../errors.ts'
import { SECOND } from '../../time.ts'
import { loadInto, type LoadState } from '../load-state.ts'
import { $token, $user } from '../session.ts'
import { readStored, writeStored } from '../storage.ts'

const $state = atom<LoadState<Bell>>({ state: 'loading' })
export const $bell = readonlyType($state)

/** `home-screen`: an iPhone shows notifications only of apps on its home screen. */
export function findSupport(): NotificationPermission | 'home-screen' | 'insecure' | 'missing' {
  if ('PushManager' in window && 'Notification' in window) return Notification.permission
  if (!globalThis.isSecureContext) return 'insecure'
  const { userAgent, maxTouchPoints } = navigator
  const isApple = /iPhone|iPad/.test(userAgent) || (/Mac OS/.test(userAgent) && maxTouchPoints > 1)
  return isApple ? 'home-screen' : 'missing'
}

export function loadBell(): Promise<void> {
  return loadInto($state, async () => {
    const bell = await api('GET /admin/bell')
    const kept = readStored('bell') as Kept | undefined
    const isOurs = kept !== undefined && kept.user === $user.get()?._id
    if (!isOurs || kept.savedFor === purposeOf(bell.key) || findSupport() !== 'granted') return bell
    return subscribe(bell.key, kept.kinds).catch(() => bell)
  })
}

interface Kept {
  user: string
  kinds: BellKind[]
  savedFor: string
}

/** After a new login, in another language or with another key, the device must be saved again. */
const purposeOf = (key: string) => [key, language(), $token.get()?.slice(-6)].join(' ')

async function subscribe(key: string, kinds: readonly BellKind[]): Promise<Bell> {
  const subscription = await openSubscription(key).catch((cause: unknown) => {
    const message = t('This browser can’t reach its push service. Please try another browser.')
    throw new ShopError('UNAVAILABLE', { message, cause })
  })
  const { endpoint = '', keys } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  const body = { endpoint, keys: { p256dh, auth }, kinds: [...kinds] }
  const bell = await api('POST /admin/bell', { body })
  writeStored('bell', { user: $user.get()?._id, kinds, savedFor: purposeOf(key) })
  return bell
}

async function openSubscription(applicationServerKey: string): Promise<PushSubscription> {
  await navigator.serviceWorker.register('/sw.js')
  // With SERVICE_WORKER=off, it removes itself.
  const limit = new Promise<never>((_, reject) => setTimeout(reject, 10 * SECOND))
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, limit])
  const options = { userVisibleOnly: true, applicationServerKey }
  return pushManager.subscribe(options).catch(async () => {
    // The shop has another key now.
    await (await pushManager.getSubscription())?.unsubscribe()
    return pushManager.subscribe(options)
  })
}

/** Asks for the permission first: browsers refuse it unless the press was just now. */
export async function turnOn(): Promise<void> {
  const permission = await Notification.requestPermission()
  await (permission === 'granted' ? changeKinds(BELL_KINDS) : loadBell())
}

export async function changeKinds(kinds: readonly BellKind[]): Promise<void> {
  const bell = $state.get()
  if (bell.state === 'ready')
    $state.set({ state: 'ready', value: await subscribe(bell.value.key, kinds) })
}

export async function removeDevice(id: string, isThis: boolean): Promise<void> {
  const value = await api('DELETE /admin/bell/{id}', { params: { id } })
  if (isThis) writeStored('bell', undefined)
  $state.set({ state: 'ready', value })
}
