import type { FastifyInstance } from 'fastify'
import { join } from 'node:path'
import { localApi } from '../config.ts'
import { sandboxKeys } from '../payment-settings.ts'
import { createSandbox } from './sandbox.ts'

/** The shop's own webhook, below the API's base. */
const WEBHOOK = '/payments/razorpay-webhook'

/** The sandbox of a shop that has no keys of the provider. Throws when it has: nobody then mistakes play money for real. */
export async function mountSandbox(app: FastifyInstance): Promise<void> {
  const { config, clock } = app
  if (config.razorpay) throw new Error('The sandbox is not mounted beside the keys of a payment provider')
  const { plugin } = createSandbox({
    file: join(config.dataDir, 'sandbox.db'),
    keys: await sandboxKeys(config.dataDir),
    webhookUrl: `${localApi(config)}${WEBHOOK}`,
    clock
  })
  await app.register(plugin)
}
