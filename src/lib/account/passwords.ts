import { isCommonPassword, parsePasswordList } from './common-passwords.ts'
import commonPasswords from './common-passwords.txt?raw'
import { t } from '../contract/texts.ts'
import { MESSAGES } from '../messages.ts'

/** 6 kB compressed: only forms for a new password load it. */
export const COMMON_PASSWORDS: ReadonlySet<string> = parsePasswordList(commonPasswords)

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

export function findPasswordAdvice(password: string): string | undefined {
  const typed = password.trim().toLowerCase()
  if (typed === '') return undefined
  if (isCommonPassword(typed, COMMON_PASSWORDS)) return MESSAGES.passwordCommon
  if (isPattern(typed))
    return t(
      'Sequences such as 12345 or qwerty are easy to guess. Try three or four unrelated words.'
    )
  return typed.length < MIN_GOOD_LENGTH
    ? t('A longer password is safer. Try three or four unrelated words.')
    : undefined
}

function isPattern(typed: string): boolean {
  const keys = [...typed.replace(/[\s\p{P}\p{S}]/gu, '')]
  const pairs = keys.filter((key, index) => NEIGHBOUR_PAIRS.has(`${keys[index - 1]}${key}`)).length
  return /^\d+$/.test(typed) || /^(.{1,4})\1+.?$/.test(typed) || pairs > keys.length * 0.7
}
