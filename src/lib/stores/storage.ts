import { atom, onMount, type WritableAtom } from 'nanostores'
import { parseJson } from '../browser.ts'
import { t } from '../contract/texts.ts'
import { paths } from '../paths.ts'
import { notify } from './toasts.ts'

type StorageArea = 'localStorage' | 'sessionStorage'

/** What the browser has refused to store. It lasts as long as this page. */
const refused = {
  localStorage: new Map<string, string>(),
  sessionStorage: new Map<string, string>()
}
/** The server has these, or the shopper would not miss them. */
const UNTOLD =
  /^(user|device|cart-agreed|discounts:.*|account|notice|setup|found|login|language|bell)$/
let isTold = false

/** An atom in `localStorage`, which follows the other tabs. */
export function persistentAtom<Value>(
  name: string,
  initial: Value,
  decode: (text: string) => Value,
  /** Undefined is not stored. */
  encode: (value: Value) => string | undefined = JSON.stringify
): WritableAtom<Value> {
  let text: string | undefined
  const store = atom(initial)
  const { set } = store
  store.set = value => {
    text = encode(value)
    writeText('localStorage', name, text)
    set(value)
  }
  const read = () => {
    const stored = readText('localStorage', name)
    if (stored === text) return
    text = stored
    set(text === undefined ? initial : decode(text))
  }
  read()
  onMount(store, read)
  if (typeof window !== 'undefined') {
    window.addEventListener('storage', ({ key }) => {
      // What another tab does replaces what this one could not store.
      if (key === name || key === null) refused.localStorage.delete(name)
      read()
    })
    // The browser shows the page again as it was left.
    window.addEventListener('pageshow', read)
  }
  return store
}

/** Undefined removes the value. Returns whether the browser has stored the change. */
export function writeText(area: StorageArea, name: string, text: string | undefined): boolean {
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

function tellRefusal(isFull: boolean) {
  if (isTold) return
  isTold = true
  const loss = t('Your cart, login and typed text are lost when you leave this page.')
  const [title, remedy] = isFull
    ? [t('Your browser’s storage is full'), t('Free space on this device, or contact us.')]
    : [
        t('Your browser blocks this shop’s storage'),
        t('Allow site data for this shop, or contact us.')
      ]
  notify({
    title,
    text: `${loss} ${remedy}`,
    link: { label: t('Contact us'), href: paths.contact },
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
  | 'found'
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

/** So that the product list shows its cards at once, also after a reload. */
export function saveFound(query: string, ids: readonly string[]): void {
  saveDraft('found', { query, ids })
}

export function readFound(query: string): readonly string[] | undefined {
  const found = readDraft<{ query: string; ids: readonly string[] }>('found')
  return found?.query === query && Array.isArray(found.ids) ? found.ids : undefined
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
