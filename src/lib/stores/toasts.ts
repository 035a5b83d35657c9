import { atom, readonlyType } from 'nanostores'
import { TOAST_LIFETIME } from '../time.ts'

export interface Toast {
  id: number
  title: string
  text?: string
  link?: { label: string; href: string }
  kind: 'plain' | 'destructive'
  /** The page announces the text itself, e.g. by its focus. */
  quiet?: boolean
  /** E.g. a product id. Replaces the toast with the same topic. */
  topic?: string
}

export type Notice = Pick<Toast, 'title'> &
  Partial<Pick<Toast, 'text' | 'link' | 'kind' | 'quiet' | 'topic'>>

const MAX_TOASTS = 3
let lastId = 0
const $state = atom<readonly Toast[]>([])

export const $toasts = readonlyType($state)

export function notify(toast: Notice): void {
  const id = ++lastId
  const others = $state.get().filter(({ topic }) => topic === undefined || topic !== toast.topic)
  $state.set([...others, { kind: 'plain' as const, ...toast, id }].slice(-MAX_TOASTS))
  if (toast.kind !== 'destructive') setTimeout(() => dismiss(id), TOAST_LIFETIME)
}

export function dismiss(id: number): void {
  $state.set($state.get().filter(toast => toast.id !== id))
}
