import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { toResponse } from './checkout.ts'
import type { WebhookSender } from './webhook-sender.ts'
import type { Faults } from './faults.ts'
import { replayEvents, countWaitingEvents } from './provider/events.ts'
import { changeOutcome, attemptPayment } from './provider/payments.ts'
import type { Provider } from './provider/provider.ts'
import { signResponse } from './provider/signatures.ts'
import { parseInput } from './provider/requests.ts'

const OUTCOMES = ['paid', 'failed', 'pending', 'authorized'] as const
const Pay = z.strictObject({
  order_id: z.string(),
  outcome: z._default(z.enum(OUTCOMES), 'paid'),
  email: z.optional(z.string()),
  contact: z.optional(z.string())
})
const PayAgain = z.strictObject({ order_id: z.string() })
const OutcomeChange = z.strictObject({ payment_id: z.string(), outcome: z.enum([...OUTCOMES, 'captured']) })

export function controlRoutes(app: FastifyInstance, provider: Provider, faults: Faults, webhooks: WebhookSender): void {
  app.get('/faults', async () => faults.settings)
  app.put('/faults', async ({ body }) => faults.set(body))

  app.post('/pay', async ({ body }) => {
    const { order_id, ...attempt } = parseInput(Pay, body)
    return toResponse(provider, await attemptPayment(provider, { orderId: order_id, ...attempt }))
  })

  app.post('/pay2', async ({ body }) => {
    const { order_id } = parseInput(PayAgain, body)
    const { id } = await attemptPayment(provider, {
      orderId: order_id,
      outcome: 'authorized',
      allowSecondPayment: true
    })
    return signResponse(provider, await changeOutcome(provider, id, 'captured'))
  })

  app.post('/late', async ({ body }) => {
    const { payment_id, outcome } = parseInput(OutcomeChange, body)
    return changeOutcome(provider, payment_id, outcome)
  })

  app.get('/events', async () => ({ waiting: countWaitingEvents(provider.store) }))

  app.post('/replay', async () => {
    const replayed = await replayEvents(provider)
    webhooks.wake()
    return { replayed }
  })
}
