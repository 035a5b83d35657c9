import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { answerOf } from './checkout.ts'
import type { Courier } from './courier.ts'
import type { Faults } from './faults.ts'
import { replayEvents, waitingEvents } from './provider/events.ts'
import { answerLate, attemptPayment } from './provider/payments.ts'
import type { Provider } from './provider/provider.ts'
import { proofOf } from './provider/signatures.ts'
import { read } from './provider/requests.ts'

const OUTCOMES = ['paid', 'failed', 'pending', 'held'] as const
const Pay = z.strictObject({
  order_id: z.string(),
  outcome: z._default(z.enum(OUTCOMES), 'paid'),
  email: z.optional(z.string()),
  contact: z.optional(z.string())
})
const PayAgain = z.strictObject({ order_id: z.string() })
const Late = z.strictObject({ payment_id: z.string(), outcome: z.enum([...OUTCOMES, 'collected']) })

/** What tests and benchmarks do to the emulated provider: shoppers without a browser, and faults. */
export function controlRoutes(app: FastifyInstance, provider: Provider, faults: Faults, courier: Courier): void {
  app.get('/faults', async () => faults.settings)
  app.put('/faults', async ({ body }) => faults.set(body))

  app.post('/pay', async ({ body }) => {
    const { order_id, ...attempt } = read(Pay, body)
    return answerOf(provider, await attemptPayment(provider, { orderId: order_id, ...attempt }))
  })

  app.post('/pay2', async ({ body }) => {
    const { order_id } = read(PayAgain, body)
    const { id } = await attemptPayment(provider, { orderId: order_id, outcome: 'held', again: true })
    return proofOf(provider, await answerLate(provider, id, 'collected'))
  })

  app.post('/late', async ({ body }) => {
    const { payment_id, outcome } = read(Late, body)
    return answerLate(provider, payment_id, outcome)
  })

  app.get('/events', async () => ({ waiting: waitingEvents(provider.store) }))

  app.post('/replay', async () => {
    const replayed = await replayEvents(provider)
    courier.wake()
    return { replayed }
  })
}
