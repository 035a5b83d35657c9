import {
  setPersistentEngine,
  windowPersistentEvents,
  type PersistentStore
} from '@nanostores/persistent'
import { parseJson } from '../browser.ts'
import { paths } from '../paths.ts'
import { notify } from './toasts.ts'

export { persistentAtom } from '@nanostores/persistent'

type StorageArea = 'localStorage' | 'sessionStorage'

/** What the browser has refused to store. It lasts as long as this page. */
const refused = {
  localStorage: new Map<string, string>(),
  sessionStorage: new Map<string, string>()
}
/** The server has these, or the shopper would not miss them. */
const UNTOLD = /^(user|device|cart-agreed|discounts:.*|account|notice|setup)$/
let isTold = false

if (typeof window !== 'undefined') {
  // Before the stores read the change: it replaces what this tab could not store.
  window.addEventListener('storage', ({ key }) => {
    if (key === null) refused.localStorage.clear()
    else refused.localStorage.delete(key)
  })
  type Name = string | symbol
  const get = (_: unknown, name: Name) => readText('localStorage', String(name))
  const has = (_: unknown, name: Name) => get(_, name) !== undefined
  const set = (_: unknown, name: Name, text?: string): true => {
    writeText('localStorage', String(name), text)
    return true
  }
  const engine = new Proxy<PersistentStore>({}, { get, has, set, deleteProperty: set })
  setPersistentEngine(engine, windowPersistentEvents)
}

/** Undefined removes the value. Returns whether the browser has stored the change. */
function writeText(area: StorageArea, name: string, text: string | undefined): boolean {
  refused[area].delete(name)
  try {
    if (text === undefined) globalThis[area].removeItem(name)
    else globalThis[area].setItem(name, text)
    return true
  } catch (error) {
    if (text === undefined) return true
    refused[area].set(name, text)
    if (!UNTOLD.test(name)) tellRefusal(/quota/i.test(String(error)))
    return false
  }
}

export function readText(area: StorageArea, name: string): string | undefined {
  const text = refused[area].get(name)
  if (text !== undefined) return text
  try {
    return globalThis[area].getItem(name) ?? undefined
  } catch {
    return undefined
  }
}

function tellRefusal(isFull: boolean): void {
  if (isTold) return
  isTold = true
  const [title, remedy] = isFull
    ? ['Your browser’s storage is full', 'Free space on this device']
    : [
        'Your browser blocks this shop’s storage',
        'Allow site data for this shop in your browser’s settings'
      ]
  notify({
    title,
    text: `So the cart, your login and what you type can’t be kept when you leave this page. ${remedy}, or contact us to order.`,
    link: { label: 'Contact us', href: paths.contact },
    kind: 'destructive',
    topic: 'storage'
  })
}

/** False if the next page will not have the latest value. */
export function isKept(name: 'cart' | 'token'): boolean {
  return !refused.localStorage.has(name)
}

/** Tells the shopper if the browser has no room for a cart. */
export function checkStorage(): boolean {
  const isStored = writeText('localStorage', 'check', '.'.repeat(500))
  writeText('localStorage', 'check', undefined)
  return isStored
}

export function writeStored(name: string, value: unknown): void {
  writeText('localStorage', name, JSON.stringify(value))
}

export function readStored(name: string): unknown {
  return parseJson(readText('localStorage', name) ?? '')
}

type RecordKind = 'product' | 'post' | 'collection' | 'deal' | 'coupon'
export type RecordDraft = `${RecordKind | 'settings'} ${string}`

type DraftName =
  | 'login'
  | 'profile'
  | 'sent-code'
  | 'email-change'
  | 'setup'
  | 'checkout'
  | 'checkout-key'
  | 'paying'
  | 'account'
  | 'notice'
  | 'contact-draft'
  | `${RecordKind | 'answer' | 'settings'} ${string}`

export function saveDraft(name: DraftName, draft: object | undefined): boolean {
  return writeText('sessionStorage', name, JSON.stringify(draft))
}

export function readDraft<Draft extends object>(
  name: DraftName
): Partial<Record<keyof Draft, unknown>> | undefined {
  const draft = parseJson(readText('sessionStorage', name) ?? '')
  return typeof draft === 'object' && draft !== null ? draft : undefined
}

export function listStored(area: StorageArea): string[] {
  const names = [...refused[area].keys()]
  try {
    return [...names, ...Object.keys(globalThis[area])]
  } catch {
    return names
  }
}

export function clearPersonalData(): void {
  for (const name of listStored('sessionStorage')) writeText('sessionStorage', name, undefined)
  for (const name of listStored('localStorage'))
    if (name.startsWith('discounts:')) writeText('localStorage', name, undefined)
}
