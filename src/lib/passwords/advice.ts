import { MESSAGES } from '../messages.ts'
import { COMMON_PASSWORDS } from './common.ts'

const SHORT_LENGTH = 8
const ROWS = ['abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', '01234567890']
const STEPS = new Set(
  ROWS.flatMap(row => [...row].slice(1).flatMap((key, at) => [`${row[at]}${key}`, `${key}${row[at]}`]))
)

export function passwordAdvice(password: string): string | undefined {
  const typed = password.trim().toLowerCase()
  if (typed === '') return undefined
  if (isCommon(typed)) return MESSAGES.passwordCommon
  if (isPattern(typed)) return MESSAGES.passwordPattern
  return typed.length < SHORT_LENGTH ? MESSAGES.passwordShort : undefined
}

// Matches variants such as `Priya@1987` and `p4ssw0rd!` too.
function isCommon(typed: string): boolean {
  const word = typed.replace(/^[^a-z]{0,4}/, '').replace(/[^a-z]{0,6}$/, '')
  return [typed, undoSubstitutions(typed), undoSubstitutions(typed.replace(/[^a-z]{0,6}$/, '')), word].some(form =>
    COMMON_PASSWORDS.has(form)
  )
}

function undoSubstitutions(typed: string): string {
  const letters: Record<string, string> = {
    '0': 'o',
    '1': 'i',
    '3': 'e',
    '4': 'a',
    '5': 's',
    '7': 't',
    '@': 'a',
    $: 's'
  }
  return typed.replace(/[013457@$]/g, sign => letters[sign] ?? sign)
}

function isPattern(typed: string): boolean {
  const keys = [...typed.replace(/[\s\p{P}\p{S}]/gu, '')]
  const steps = keys.filter((key, at) => STEPS.has(`${keys[at - 1]}${key}`)).length
  return /^\d+$/.test(typed) || /^(.{1,4})\1+.?$/.test(typed) || steps > keys.length * 0.7
}
