/** What the buyers of a round have seen and were told. */
export interface Witness {
  /** Payments that were opened, by the shop's order: whose it is, and the provider's order. */
  opened: Map<string, { buyer: string; providerOrder: string }>
  /** Orders of which a buyer was told that they are made, by the payment. */
  promised: Map<string, string>
  /** Provider's orders that are to be paid only when everybody has given them up. */
  late: string[]
  /** Attempts to which the bank has not answered. */
  pending: string[]
  /** How often each status was answered; 0: nobody answered. */
  replies: Map<string, number>
  /** What must never be answered. */
  wrong: string[]
}

export function newWitness(): Witness {
  return { opened: new Map(), promised: new Map(), late: [], pending: [], replies: new Map(), wrong: [] }
}
