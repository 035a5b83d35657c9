export interface Observations {
  opened: Map<string, { buyer: string; providerOrder: string }>
  /** The payment id of each order that the shop confirmed to a buyer, by order id. */
  confirmed: Map<string, string>
  /** Provider orders to pay after their reservations have expired. */
  latePayments: string[]
  pendingPayments: string[]
  /** Number of replies by status; 0 is no reply. */
  replies: Map<string, number>
  violations: string[]
}

export function newObservations(): Observations {
  return {
    opened: new Map(),
    confirmed: new Map(),
    latePayments: [],
    pendingPayments: [],
    replies: new Map(),
    violations: []
  }
}
