import * as z from 'zod/mini'
import { parseInput } from './provider/requests.ts'
import type { RandomFaults } from './provider/provider.ts'

/** With `errorAfter` and `loseAnswer`, the call takes effect before the fault. Otherwise, the call has no effect. */
export type Fault = 'errorBefore' | 'errorAfter' | 'tooMany' | 'html' | 'hang' | 'loseAnswer'

const probability = z._default(z.number().check(z.minimum(0), z.maximum(1)), 0)
const milliseconds = (defaultMs: number): z.ZodMiniDefault<z.ZodMiniNumber> =>
  z._default(z.number().check(z.minimum(0)), defaultMs)

const FaultSettings = z.strictObject({
  /** The same seed gives the same sequence of faults. */
  seed: z.optional(z.int()),
  errorBefore: probability,
  errorAfter: probability,
  tooMany: probability,
  html: probability,
  hang: probability,
  loseAnswer: probability,
  slow: probability,
  slowMs: milliseconds(600),
  dropWebhook: probability,
  duplicateWebhook: probability,
  delayWebhook: probability,
  delayMs: milliseconds(5000),
  /** Each webhook is delayed by a random time up to this maximum, so that webhooks arrive out of order. */
  shuffleMs: milliseconds(0),
  refundFail: probability
})

export type FaultSettings = z.infer<typeof FaultSettings>

export interface Faults extends RandomFaults {
  readonly settings: FaultSettings
  /** Replaces all settings. Omitted settings get their defaults. Throws RazorpayError. */
  set(body: unknown): FaultSettings
  drawFault(): Fault | undefined
  drawDelay(): number
}

const FAULTS: readonly Fault[] = ['errorBefore', 'errorAfter', 'tooMany', 'html', 'hang', 'loseAnswer']

export function createFaults(defaultRandom: () => number): Faults {
  let settings = parseInput(FaultSettings, {})
  let random = defaultRandom
  const happens = (probability: number): boolean => probability > 0 && random() < probability

  return {
    get settings() {
      return settings
    },
    set(body) {
      settings = parseInput(FaultSettings, body)
      random = settings.seed === undefined ? defaultRandom : createSeededRandom(settings.seed)
      return settings
    },
    drawFault: () => FAULTS.find(name => happens(settings[name])),
    drawDelay: () => (happens(settings.slow) ? settings.slowMs : 0),
    planDelivery() {
      if (happens(settings.dropWebhook)) return undefined
      const copies = happens(settings.duplicateWebhook) ? 2 : 1
      const delay = happens(settings.delayWebhook) ? settings.delayMs : 0
      return { copies, delay: Math.round(delay + random() * settings.shuffleMs) }
    },
    willRefundFail: () => happens(settings.refundFail)
  }
}

/** Random number generator mulberry32. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
