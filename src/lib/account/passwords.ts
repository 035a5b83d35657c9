import { t } from '../contract/texts.ts'
import { MESSAGES } from '../messages.ts'

const MIN_GOOD_LENGTH = 8
const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '01234567890'
]
const NEIGHBOUR_PAIRS = new Set(
  SEQUENCES.flatMap(keys =>
    [...keys].slice(1).flatMap((key, index) => [`${keys[index]}${key}`, `${key}${keys[index]}`])
  )
)
const SUBSTITUTIONS: Record<string, string> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's'
}

/** The list is a parameter, because it is large. Only forms for a new password load it. */
export function findPasswordAdvice(
  password: string,
  list: ReadonlySet<string>
): string | undefined {
  const typed = password.trim().toLowerCase()
  if (typed === '') return undefined
  if (isCommonPassword(typed, list)) return MESSAGES.passwordCommon
  if (isPattern(typed))
    return t(
      'Sequences such as 12345 or qwerty are easy to guess. Try three or four unrelated words.'
    )
  return typed.length < MIN_GOOD_LENGTH
    ? t('A longer password is safer. Try three or four unrelated words.')
    : undefined
}

export function parsePasswordList(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}

/** Also matches variants such as `Priya@1987` and `p4ssw0rd!`. */
export function isCommonPassword(password: string, list: ReadonlySet<string>): boolean {
  const typed = password.trim().toLowerCase()
  const word = typed.replace(/^[^a-z]{0,4}/, '').replace(/[^a-z]{0,6}$/, '')
  return [
    typed,
    undoSubstitutions(typed),
    undoSubstitutions(typed.replace(/[^a-z]{0,6}$/, '')),
    word
  ].some(variant => list.has(variant))
}

function isPattern(typed: string) {
  const keys = [...typed.replace(/[\s\p{P}\p{S}]/gu, '')]
  const pairs = keys.filter((key, index) => NEIGHBOUR_PAIRS.has(`${keys[index - 1]}${key}`)).length
  return /^\d+$/.test(typed) || /^(.{1,4})\1+.?$/.test(typed) || pairs > keys.length * 0.7
}

function undoSubstitutions(typed: string) {
  return typed.replace(/[013457@$]/g, character => SUBSTITUTIONS[character] ?? character)
}
