import Fastify from 'fastify'
import { parse } from 'dotenv'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readSandboxKeys } from './objects.ts'
import { createSandbox } from './sandbox.ts'

const WEBHOOK_URL = 'http://127.0.0.1:4321/api/payments/razorpay-webhook'
const HELP = `Runs the payment sandbox, a double of Razorpay, as a separate process.

  npm run sandbox -- --port 4330 [options]

  --port PORT            port on 127.0.0.1 (default 4330)
  --data FOLDER          data folder (default ./data/sandbox)
  --webhook-url ADDRESS  webhook of the shop (default ${WEBHOOK_URL})
  --first-pause MS       delay before the first retry of a webhook (default 5000)
  --no-sync              don't wait for the disk, so that benchmarks measure only the shop

Keys are read from RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET (environment
or .env file). If they are unset, the sandbox creates keys and prints them.`

await start().catch((error: unknown) => {
  console.error(`The sandbox could not start: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
})

async function start() {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', default: false },
      port: { type: 'string', default: '4330' },
      data: { type: 'string', default: join('data', 'sandbox') },
      'webhook-url': { type: 'string', default: WEBHOOK_URL },
      'first-pause': { type: 'string', default: '5000' },
      'no-sync': { type: 'boolean', default: false }
    }
  })
  if (values.help) return console.log(HELP)
  const [port, firstRetryDelay] = [Number(values.port), Number(values['first-pause'])]
  if (!Number.isInteger(port)) throw new Error('--port must be a whole number')
  const webhookUrl = values['webhook-url']
  if (!URL.canParse(webhookUrl)) throw new Error(`--webhook-url must be like ${WEBHOOK_URL}`)
  const folder = resolve(values.data)
  mkdirSync(folder, { recursive: true })
  // The keys of the shop, so that both can share a .env file.
  const env = { ...(existsSync('.env') && parse(readFileSync('.env'))), ...process.env }
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret } = env
  const [webhookSecret] = env['RAZORPAY_WEBHOOK_SECRET']?.split(',') ?? []
  const keys =
    keyId && keySecret && webhookSecret
      ? { keyId, keySecret, webhookSecret }
      : await readSandboxKeys(folder)
  const app = Fastify({ forceCloseConnections: true, logger: { level: 'warn' } })
  const file = join(folder, 'sandbox.db')
  const durable = !values['no-sync']
  await app.register(createSandbox({ file, keys, webhookUrl, durable, firstRetryDelay }).plugin)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void app.close().then(() => process.exit(0)))
  const origin = await app.listen({ host: '127.0.0.1', port })
  console.log(`Sandbox listening at ${origin}/v1, webhooks go to ${webhookUrl}
Start the shop with
  RAZORPAY_KEY_ID=${keys.keyId}
  RAZORPAY_KEY_SECRET=${keys.keySecret}
  RAZORPAY_WEBHOOK_SECRET=${keys.webhookSecret}
  RAZORPAY_API_BASE=${origin}/v1
  RAZORPAY_CHECKOUT_URL=${origin}/v1/checkout.js`)
}
