import * as z from 'zod/mini'
import { read } from './provider/requests.ts'
import { NO_FAULTS, type RandomFaults } from './provider/provider.ts'

/** `…Before` faults happen before the call does its work, the others after it. */
export type Fault = 'errorBefore' | 'errorAfter' | 'tooMany' | 'html' | 'hang' | 'loseAnswer'

const probability = z._default(z.number().check(z.minimum(0), z.maximum(1)), 0)
const ms = (defaultMs: number): z.ZodMiniDefault<z.ZodMiniNumber> =>
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
  slowMs: ms(600),
  dropWebhook: probability,
  duplicateWebhook: probability,
  delayWebhook: probability,
  delayMs: ms(5000),
  /** Upper limit of a random delay, so that webhooks overtake each other. */
  shuffleMs: ms(0),
  refundFail: probability
})

export type FaultSettings = z.infer<typeof FaultSettings>

export interface Faults extends RandomFaults {
  readonly settings: FaultSettings
  /** Replaces all settings; omitted ones get their defaults. Throws Refusal. */
  set(body: unknown): FaultSettings
  nextFault(): Fault | undefined
  /** In ms. */
  delay(): number
}

const FAULTS: readonly Fault[] = ['errorBefore', 'errorAfter', 'tooMany', 'html', 'hang', 'loseAnswer']

export function createFaults(defaultRandom: () => number): Faults {
  let settings = read(FaultSettings, {})
  let random = defaultRandom
  const happens = (probability: number): boolean => probability > 0 && random() < probability

  return {
    get settings() {
      return settings
    },
    set(body) {
      settings = read(FaultSettings, body)
      random = settings.seed === undefined ? defaultRandom : seeded(settings.seed)
      return settings
    },
    nextFault: () => FAULTS.find(name => happens(settings[name])),
    delay: () => (happens(settings.slow) ? settings.slowMs : 0),
    delivery() {
      if (happens(settings.dropWebhook)) return undefined
      const copies = happens(settings.duplicateWebhook) ? 2 : 1
      const late = happens(settings.delayWebhook) ? settings.delayMs : 0
      return { copies, delay: Math.round(late + random() * settings.shuffleMs) }
    },
    refundFails: () => (settings.refundFail > 0 ? happens(settings.refundFail) : NO_FAULTS.refundFails())
  }
}

/** mulberry32: a seeded random number generator. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
