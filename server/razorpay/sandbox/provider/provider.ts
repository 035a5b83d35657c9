import type { Clock } from '../../../platform/process/clock.ts'
import type { SandboxKeys } from '../../payment-settings.ts'
import type { EventName } from './entities.ts'
import type { Store } from './store.ts'

export interface Provider {
  store: Store
  keys: SandboxKeys
  clock: Clock
  /** Returns a number from 0 (included) to 1 (excluded). */
  random: () => number
  events: ReadonlySet<EventName>
  faults: RandomFaults
}

export interface RandomFaults {
  /** Returns how many copies of a webhook to send and after how many ms, or undefined to send none. */
  planDelivery(): { copies: number; delay: number } | undefined
  willRefundFail(): boolean
}

export const NO_FAULTS: RandomFaults = { planDelivery: () => ({ copies: 1, delay: 0 }), willRefundFail: () => false }

export function unixNow({ clock }: Pick<Provider, 'clock'>): number {
  return Math.floor(clock() / 1000)
}
