/** A change that removes one safety check. Each `from` text must occur exactly once in its file. */
export interface Mutant {
  name: string
  patches: readonly { file: string; from: string; to: string }[]
}

const TRANSITIONS = 'server/orders/transitions.ts'
const CHECK_PAYMENTS = {
  file: 'server/orders/jobs.ts',
  from: 'listDueOrders(kysely, now)',
  to: "listDueOrders(kysely, '')"
}
const RECONCILE_RECENT = {
  file: 'server/orders/jobs.ts',
  from: 'await reconcilePage(deps, page)',
  to: 'await reconcilePage(deps, [])'
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a reservation can end in any payment state',
    patches: [
      {
        file: TRANSITIONS,
        from: "updateOrder(trx, id, ended).where('payment_state', '=', 'awaiting')",
        to: 'updateOrder(trx, id, ended)'
      }
    ]
  },
  {
    name: 'a payment without an order is not refunded',
    patches: [
      {
        file: 'server/orders/settle.ts',
        from: 'const isKnown = (await findLastRefund(trx, payment.id)) !== undefined',
        to: 'const isKnown = now > 0 || (await findLastRefund(trx, payment.id)) !== undefined'
      }
    ]
  },
  {
    name: 'a drawn discount can be used by several orders',
    patches: [
      {
        file: 'server/orders/stock-queries.ts',
        from: `    .where('percent', '=', percent)
    .where('order_id', 'is', null)
`,
        to: `    .where('percent', '=', percent)
`
      }
    ]
  },
  {
    name: 'a provider order can be replaced by a later one',
    patches: [
      {
        file: TRANSITIONS,
        from: `    .where('provider_order_id', 'is', null)
`,
        to: ''
      }
    ]
  },
  {
    name: 'a refund is sent without its idempotency key',
    patches: [
      {
        file: 'server/razorpay/client.ts',
        from: 'ProviderRefund, body, { key }),',
        to: 'ProviderRefund, body),'
      }
    ]
  },
  {
    name: 'payments are only reported by the browser',
    patches: [
      {
        file: 'server/orders/webhooks.ts',
        from: 'else if (event.payment_id !== null) await reconcileReportedPayment(',
        to: 'else if (event.payment_id !== null && event.attempts < 0) await reconcileReportedPayment('
      },
      CHECK_PAYMENTS,
      RECONCILE_RECENT
    ]
  },
  {
    name: 'the shop never polls the provider',
    patches: [CHECK_PAYMENTS, RECONCILE_RECENT]
  },
  {
    name: 'a payment created after the reservation revives its order',
    patches: [
      {
        file: TRANSITIONS,
        from: `      .where('created_at', '>=', toEarliestOpening(payment))
`,
        to: `      .where('created_at', '<', toEarliestOpening(payment))
`
      }
    ]
  },
  {
    name: 'a full day takes more orders',
    patches: [
      {
        file: 'server/delivery/places.ts',
        from: 'maxOrders: ordersPerDay || NO_LIMIT',
        to: 'maxOrders: NO_LIMIT'
      }
    ]
  },
  {
    name: 'a cancelled or expired order keeps its place',
    patches: [
      {
        file: 'server/orders/reservations.ts',
        from: `  await releasePlace(trx, id)
`,
        to: ''
      }
    ]
  },
  {
    name: 'two administrators can change the same version of an order',
    patches: [
      {
        file: TRANSITIONS,
        from: `    .where('changes', '=', changes)
`,
        to: ''
      }
    ]
  },
  {
    name: 'a cancellation refunds what changes have refunded before',
    patches: [
      {
        file: 'server/orders/payment-queries.ts',
        from: 'Math.max(0, toRefund - processed - open - reported)',
        to: 'toRefund'
      }
    ]
  },
  {
    name: 'a cancellation puts removed packs back again',
    patches: [
      {
        file: 'server/orders/reservations.ts',
        from: 'const count = quantity - removed + ',
        to: 'const count = quantity + removed * 0 + '
      }
    ]
  },
  {
    name: 'an order can become paid in any payment state',
    patches: [
      {
        file: TRANSITIONS,
        from: "{ ...paid, ...PAID }).where('payment_state', '=', 'awaiting')",
        to: '{ ...paid, ...PAID })'
      }
    ]
  }
]
