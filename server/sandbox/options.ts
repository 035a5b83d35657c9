import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError, webAddress } from '../setting.ts'
import type { EventName } from './provider/entities.ts'
import { USUAL_EVENTS } from './sandbox.ts'

export const HELP = `The payment provider's emulator, as a process of its own. No money moves.

  npm run sandbox -- --port 4330 [options]

  --port PORT            where it listens on 127.0.0.1 (4330)
  --data FOLDER          where it keeps what it knows (./data/sandbox)
  --webhook-url ADDRESS  the shop's webhook (http://127.0.0.1:4321/api/payments/razorpay-webhook)
  --events NAMES         what the webhook is told of, with commas between (${USUAL_EVENTS.join(',')})
  --first-pause MS       until a webhook that was not taken is sent again (5000)
  --no-sync              does not wait for the disk, so that a benchmark measures the shop's disk alone

The keys are RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET and RAZORPAY_WEBHOOK_SECRET of the environment or a .env file; unset, it
makes its own and shows them.`

export interface Options {
  help: boolean
  durable: boolean
  port: number
  data: string
  webhookUrl: string
  events: readonly EventName[]
  firstPause: number
}

/** What stands on the command line. Throws an error of one line. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', default: false },
      'no-sync': { type: 'boolean', default: false },
      port: { type: 'string', default: '4330' },
      data: { type: 'string', default: join('data', 'sandbox') },
      'webhook-url': { type: 'string', default: 'http://127.0.0.1:4321/api/payments/razorpay-webhook' },
      events: { type: 'string', default: USUAL_EVENTS.join(',') },
      'first-pause': { type: 'string', default: '5000' }
    }
  })
  const webhookUrl = values['webhook-url']
  if (!webAddress(webhookUrl)) throw new ConfigError('--webhook-url must be an address that starts with http://')
  return {
    help: values.help,
    durable: !values['no-sync'],
    port: asNumber('port', values.port),
    data: resolve(values.data),
    webhookUrl,
    events: values.events.split(',').map(asEvent),
    firstPause: asNumber('first-pause', values['first-pause'])
  }
}

function asNumber(name: string, value: string): number {
  if (/^\d+$/.test(value)) return Number(value)
  throw new ConfigError(`--${name} must be a whole number, not ${JSON.stringify(value)}`)
}

function asEvent(name: string): EventName {
  const known = [...USUAL_EVENTS, 'refund.created' as const].find(event => event === name.trim())
  if (known) return known
  throw new ConfigError(`--events can't be ${JSON.stringify(name)}, for example ${USUAL_EVENTS.join(',')}`)
}
