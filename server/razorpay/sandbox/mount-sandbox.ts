import type { FastifyInstance } from 'fastify'
import { join } from 'node:path'
import { toLocalApiUrl } from '../../config.ts'
import { readSandboxKeys } from '../payment-settings.ts'
import { createSandbox } from './sandbox.ts'

const WEBHOOK_PATH = '/payments/razorpay-webhook'

/** Throws if Razorpay keys are set, so that sandbox payments are never mistaken for real ones. */
export async function mountSandbox(app: FastifyInstance): Promise<void> {
  const { config, clock } = app
  if (config.razorpay) throw new Error('Razorpay keys are set, so the sandbox must not be mounted')
  const { plugin } = createSandbox({
    file: join(config.dataDir, 'sandbox.db'),
    keys: await readSandboxKeys(config.dataDir),
    webhookUrl: `${toLocalApiUrl(config)}${WEBHOOK_PATH}`,
    clock
  })
  await app.register(plugin)
}
