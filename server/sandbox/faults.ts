import * as z from 'zod/mini'
import { read } from './provider/requests.ts'
import { NO_FAULTS, type Luck } from './provider/provider.ts'

/** What happens to a call: before it is heard, or after its work is done. */
export type Trouble = 'errorBefore' | 'errorAfter' | 'tooMany' | 'html' | 'hang' | 'loseAnswer'

const chance = z._default(z.number().check(z.minimum(0), z.maximum(1)), 0)
const ms = (usual: number): z.ZodMiniDefault<z.ZodMiniNumber> => z._default(z.number().check(z.minimum(0)), usual)

const FaultSettings = z.strictObject({
  /** The same seed, the same faults in the same order. */
  seed: z.optional(z.int()),
  errorBefore: chance,
  errorAfter: chance,
  tooMany: chance,
  html: chance,
  hang: chance,
  loseAnswer: chance,
  slow: chance,
  slowMs: ms(600),
  dropWebhook: chance,
  duplicateWebhook: chance,
  delayWebhook: chance,
  delayMs: ms(5000),
  /** Each webhook waits a random time up to this, so that they overtake each other. */
  shuffleMs: ms(0),
  refundFail: chance
})

export type FaultSettings = z.infer<typeof FaultSettings>

export interface Faults extends Luck {
  readonly settings: FaultSettings
  /** Replaces all settings; what is not named is as usual. Throws Refusal. */
  set(body: unknown): FaultSettings
  /** What the next call meets, if anything. */
  trouble(): Trouble | undefined
  /** For how many ms the next call waits. */
  slowness(): number
}

const TROUBLES: readonly Trouble[] = ['errorBefore', 'errorAfter', 'tooMany', 'html', 'hang', 'loseAnswer']

export function createFaults(usualRandom: () => number): Faults {
  let settings = read(FaultSettings, {})
  let random = usualRandom
  const happens = (probability: number): boolean => probability > 0 && random() < probability

  return {
    get settings() {
      return settings
    },
    set(body) {
      settings = read(FaultSettings, body)
      random = settings.seed === undefined ? usualRandom : seeded(settings.seed)
      return settings
    },
    trouble: () => TROUBLES.find(name => happens(settings[name])),
    slowness: () => (happens(settings.slow) ? settings.slowMs : 0),
    delivery() {
      if (happens(settings.dropWebhook)) return undefined
      const copies = happens(settings.duplicateWebhook) ? 2 : 1
      const late = happens(settings.delayWebhook) ? settings.delayMs : 0
      return { copies, delay: Math.round(late + random() * settings.shuffleMs) }
    },
    refundFails: () => (settings.refundFail > 0 ? happens(settings.refundFail) : NO_FAULTS.refundFails())
  }
}

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
