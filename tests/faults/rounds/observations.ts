export interface Observations {
  opened: Map<string, { buyer: string; providerOrder: string }>
  /** Payment ids by order id, for the orders that the shop confirmed to a buyer. */
  confirmed: Map<string, string>
  /** Provider orders to pay after their reservations have expired. */
  latePayments: string[]
  /** Failed payments that the bank confirms after the reservations of their orders have expired. */
  lateConfirmations: string[]
  pendingPayments: string[]
  /** Number of replies by status and error code, such as `503 UNAVAILABLE`, or `no reply`. */
  replies: Map<string, number>
  violations: string[]
}

export function newObservations(): Observations {
  return {
    opened: new Map(),
    confirmed: new Map(),
    latePayments: [],
    lateConfirmations: [],
    pendingPayments: [],
    replies: new Map(),
    violations: []
  }
}
