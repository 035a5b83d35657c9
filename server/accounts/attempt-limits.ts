import { MAX_PASSWORD_ATTEMPTS } from '#lib/constants.ts'
import { tooManyPasswordsText } from '#lib/messages.ts'
import { DAY, HOUR, MINUTE } from '#lib/time.ts'
import { hourlyLimits, limitsPerNetwork, type Limit } from '../platform/http/limits.ts'

/** Who tries: a network, or a device that has logged in to the account before. */
export interface Source {
  ip: string
  /** Id of the device. */
  device: string | undefined
}

interface AttemptLimits {
  /** Start again at 0 after a correct password or code. */
  own: Limit[]
  /** A correct password or code does not count, but earlier wrong ones still do. */
  shared: Limit[]
}

const PASSWORDS = { max: MAX_PASSWORD_ATTEMPTS.account, window: 15 * MINUTE, refusal: tooManyPasswordsText }
const PASSWORDS_OF_NETWORK = { ...PASSWORDS, max: MAX_PASSWORD_ATTEMPTS.network }
const PASSWORDS_PER_DAY = { max: 100, window: DAY, refusal: tooManyPasswordsText }
/** A new code that the same source requests allows new tries. */
const CODE_TRIES = { max: 5, window: DAY }
const CODE_TRIES_PER_DAY = { max: 100, window: DAY }
const CODES = { max: 5, window: HOUR }
const CODES_PER_HOUR = { max: 10, window: HOUR }
const CODES_PER_DAY = { max: 20, window: DAY }

// All limits also apply to unknown e-mail addresses. Otherwise they would reveal which accounts exist.

export function passwordLimits(email: string, { ip, device }: Source): AttemptLimits {
  const key = `passwords for ${email}`
  if (device !== undefined)
    return {
      own: [{ key: `${key} on ${device}`, ...PASSWORDS }],
      shared: [{ key: `${key} on ${device}, daily`, ...PASSWORDS_PER_DAY }]
    }
  return {
    own: limitsPerNetwork(ip, { key, ...PASSWORDS }),
    shared: [
      ...limitsPerNetwork(ip, { key: 'passwords', ...PASSWORDS_OF_NETWORK }),
      { key: `${key}, daily`, ...PASSWORDS_PER_DAY }
    ]
  }
}

/** Counts correct passwords, because each one takes time of the processor too. */
export function loginLimit(email: string): Limit {
  return { key: `logins to ${email}`, max: 20, window: HOUR, refusal: tooManyPasswordsText }
}

export function codeTryLimits(email: string, { ip, device }: Source): AttemptLimits {
  const key = `code tries for ${email}`
  if (device !== undefined) return { own: [{ key: `${key} on ${device}`, ...CODE_TRIES }], shared: [] }
  return {
    own: limitsPerNetwork(ip, { key, ...CODE_TRIES }),
    shared: [...hourlyLimits(ip, 'codeTries'), { key: `${key}, daily`, ...CODE_TRIES_PER_DAY }]
  }
}

export function codeLimits(email: string, { ip, device }: Source): Limit[] {
  const key = `codes for ${email}`
  if (device !== undefined)
    return [
      { key: `${key} on ${device}`, ...CODES },
      { key: `${key} on ${device}, daily`, ...CODES_PER_DAY }
    ]
  return [
    ...hourlyLimits(ip, 'codes'),
    ...limitsPerNetwork(ip, { key, ...CODES }),
    { key: `${key}, hourly`, ...CODES_PER_HOUR },
    { key: `${key}, daily`, ...CODES_PER_DAY }
  ]
}
