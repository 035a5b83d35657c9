import type { Clock } from '../../clock.ts'
import type { SandboxKeys } from '../../payment-settings.ts'
import type { EventName } from './entities.ts'
import type { Store } from './store.ts'

export interface Provider {
  store: Store
  keys: SandboxKeys
  clock: Clock
  /** From 0 to 1, excluding 1. */
  random: () => number
  events: ReadonlySet<EventName>
  faults: RandomFaults
}

export interface RandomFaults {
  /** Copies to send and the delay in ms; undefined drops the event. */
  delivery(): { copies: number; delay: number } | undefined
  /** Whether an accepted refund fails later. */
  refundFails(): boolean
}

export const NO_FAULTS: RandomFaults = { delivery: () => ({ copies: 1, delay: 0 }), refundFails: () => false }

export function unixNow({ clock }: Pick<Provider, 'clock'>): number {
  return Math.floor(clock() / 1000)
}
