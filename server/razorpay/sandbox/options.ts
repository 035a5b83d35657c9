import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError, parseHttpUrl } from '../../platform/process/settings.ts'

export const HELP = `Runs the payment sandbox, an emulator of Razorpay, as a separate process. No money moves.

  npm run sandbox -- --port 4330 [options]

  --port PORT            port on 127.0.0.1 (default 4330)
  --data FOLDER          data folder (default ./data/sandbox)
  --webhook-url ADDRESS  webhook of the shop (default http://127.0.0.1:4321/api/payments/razorpay-webhook)
  --first-pause MS       delay before the first retry of a webhook (default 5000)
  --no-sync              don't wait for the disk, so that benchmarks measure only the shop

Keys are read from RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET (environment or .env file).
If they are unset, the sandbox creates keys and prints them.`

interface Options {
  help: boolean
  durable: boolean
  port: number
  data: string
  webhookUrl: string
  firstRetryDelay: number
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      'no-sync': { type: 'boolean', default: false },
      port: { type: 'string', default: '4330' },
      data: { type: 'string', default: join('data', 'sandbox') },
      'webhook-url': {
        type: 'string',
        default: 'http://127.0.0.1:4321/api/payments/razorpay-webhook'
      },
      'first-pause': { type: 'string', default: '5000' }
    }
  })
  const webhookUrl = values['webhook-url']
  if (!parseHttpUrl(webhookUrl))
    throw new ConfigError(
      '--webhook-url must be a URL such as http://127.0.0.1:4321/api/payments/razorpay-webhook'
    )
  return {
    help: values.help,
    durable: !values['no-sync'],
    port: parseNumber('port', values.port),
    data: resolve(values.data),
    webhookUrl,
    firstRetryDelay: parseNumber('first-pause', values['first-pause'])
  }
}

function parseNumber(name: string, value: string): number {
  if (/^\d+$/.test(value)) return Number(value)
  throw new ConfigError(`--${name} must be a whole number, not ${JSON.stringify(value)}`)
}
