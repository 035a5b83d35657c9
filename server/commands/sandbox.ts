import Fastify from 'fastify'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { readEnvironment } from '../config.ts'
import { systemClock } from '../platform/process/clock.ts'
import { closeOnSignals, oneLine, runCommand } from '../platform/process/command.ts'
import { readRazorpayConfig } from '../razorpay/config.ts'
import { HELP, readOptions } from '../razorpay/sandbox/options.ts'
import { createSandbox } from '../razorpay/sandbox/sandbox.ts'
import { readSandboxKeys, type SandboxKeys } from '../razorpay/settings.ts'

const shutdown = closeOnSignals(error => console.error(`Error while closing: ${oneLine(error)}`))

await runCommand('The sandbox could not start', startSandbox)

async function startSandbox(): Promise<void> {
  const options = readOptions(process.argv.slice(2))
  if (options.help) return console.log(HELP)
  mkdirSync(options.data, { recursive: true })
  const keys = await readKeys(options.data)
  const app = Fastify({ forceCloseConnections: true, logger: { level: 'warn' } })
  const file = join(options.data, 'sandbox.db')
  await app.register(createSandbox({ ...options, keys, file, clock: systemClock }).plugin)
  shutdown.onEnd(() => app.close())
  const origin = await app.listen({ host: '127.0.0.1', port: options.port })
  console.log(`Sandbox listening at ${origin}/v1, webhooks go to ${options.webhookUrl}
Start the shop with
  RAZORPAY_KEY_ID=${keys.keyId}
  RAZORPAY_KEY_SECRET=${keys.keySecret}
  RAZORPAY_WEBHOOK_SECRET=${keys.webhookSecret}
  RAZORPAY_API_BASE=${origin}/v1
  RAZORPAY_CHECKOUT_URL=${origin}/v1/checkout.js`)
}

/**
 * Reads the shop's keys, so that both can share a `.env` file. Without keys, uses those of
 * `folder`.
 */
async function readKeys(folder: string): Promise<SandboxKeys> {
  // Removes the two URLs, because `readRazorpayConfig` throws if they are set without keys.
  const { RAZORPAY_API_BASE: _api, RAZORPAY_CHECKOUT_URL: _checkout, ...env } = readEnvironment()
  const razorpayConfig = readRazorpayConfig(env)
  if (!razorpayConfig) return readSandboxKeys(folder)
  const [webhookSecret = ''] = razorpayConfig.webhookSecrets
  return { keyId: razorpayConfig.keyId, keySecret: razorpayConfig.keySecret, webhookSecret }
}
