import type { Clock } from '../../clock.ts'
import type { SandboxKeys } from '../../payment-settings.ts'
import type { EventName } from './entities.ts'
import type { Store } from './store.ts'

/** The emulated provider: one account and what is known about its orders, payments and refunds. */
export interface Provider {
  store: Store
  keys: SandboxKeys
  clock: Clock
  /** From 0 to 1, 1 excluded. */
  random: () => number
  /** Which events its webhook is told of. */
  tells: ReadonlySet<EventName>
  luck: Luck
}

/** What may go wrong by itself at a provider. */
export interface Luck {
  /** How often an event is sent, and how many ms later; undefined: never. */
  delivery(): { copies: number; delay: number } | undefined
  /** Whether a refund that was accepted fails later. */
  refundFails(): boolean
}

export const NO_FAULTS: Luck = { delivery: () => ({ copies: 1, delay: 0 }), refundFails: () => false }

/** As the provider writes times. */
export function unixNow({ clock }: Pick<Provider, 'clock'>): number {
  return Math.floor(clock() / 1000)
}
