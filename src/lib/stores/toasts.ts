import { atom, readonlyType } from 'nanostores'
import { TOAST_LIFETIME } from '../time.ts'

export interface Toast {
  id: number
  title: string
  text?: string
  kind: 'plain' | 'destructive'
  /** What it tells of, a product's id for one: of the same thing only the latest toast is shown. */
  about?: string
}

export type Notice = Pick<Toast, 'title'> & Partial<Pick<Toast, 'text' | 'kind' | 'about'>>

const MOST = 3
let lastId = 0
const $state = atom<readonly Toast[]>([])

/** What the one live region of the page says, oldest first; at most three at once. */
export const $toasts = readonlyType($state)

/** Shows a notice and announces it; it goes by itself after a while, a destructive one only when dismissed or pushed out. */
export function notify(toast: Notice): void {
  const id = ++lastId
  const others = $state.get().filter(({ about }) => about === undefined || about !== toast.about)
  $state.set([...others, { kind: 'plain' as const, ...toast, id }].slice(-MOST))
  if (toast.kind !== 'destructive') setTimeout(() => dismiss(id), TOAST_LIFETIME)
}

export function dismiss(id: number): void {
  $state.set($state.get().filter(toast => toast.id !== id))
}
