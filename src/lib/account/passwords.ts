import { MESSAGES } from '../messages.ts'
import commonPasswords from './common-passwords.txt?raw'

/** Lower-case passwords. The list has about 6 kB when compressed, so only forms for a new password load it. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(commonPasswords.trim().split(/\s+/))

const MIN_GOOD_LENGTH = 8
const SUBSTITUTIONS: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }
const SEQUENCES = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '01234567890']
const NEIGHBOUR_PAIRS = new Set(
  SEQUENCES.flatMap(keys =>
    [...keys].slice(1).flatMap((key, index) => [`${keys[index]}${key}`, `${key}${keys[index]}`])
  )
)

export function findPasswordAdvice(password: string): string | undefined {
  const typed = password.trim().toLowerCase()
  if (typed === '') return undefined
  if (isCommon(typed)) return MESSAGES.passwordCommon
  if (isPattern(typed)) return MESSAGES.passwordPattern
  return typed.length < MIN_GOOD_LENGTH ? MESSAGES.passwordShort : undefined
}

// Also matches variants such as `Priya@1987` and `p4ssw0rd!`.
function isCommon(typed: string): boolean {
  const word = typed.replace(/^[^a-z]{0,4}/, '').replace(/[^a-z]{0,6}$/, '')
  return [typed, undoSubstitutions(typed), undoSubstitutions(typed.replace(/[^a-z]{0,6}$/, '')), word].some(variant =>
    COMMON_PASSWORDS.has(variant)
  )
}

function undoSubstitutions(typed: string): string {
  return typed.replace(/[013457@$]/g, character => SUBSTITUTIONS[character] ?? character)
}

function isPattern(typed: string): boolean {
  const keys = [...typed.replace(/[\s\p{P}\p{S}]/gu, '')]
  const pairs = keys.filter((key, index) => NEIGHBOUR_PAIRS.has(`${keys[index - 1]}${key}`)).length
  return /^\d+$/.test(typed) || /^(.{1,4})\1+.?$/.test(typed) || pairs > keys.length * 0.7
}
