import { ACCOUNT_LIMITS, CODE_LENGTH } from './constants.ts'
import { MESSAGES } from './messages.ts'
import { phoneDigits } from './phone.ts'

/** What is wrong with each field, in the words of the contract, which is too heavy for a page. */
export type Problems<Name extends string> = Partial<Record<Name, string>>

export function loginProblems(values: { email: string; password: string }): Problems<'email' | 'password'> {
  return { ...emailProblem(values.email), ...emptyOnes(values) }
}

export function registrationProblems(
  values: Record<'displayName' | 'email' | 'password', string>
): Problems<'displayName' | 'email' | 'password'> {
  const password = newPasswordProblem(values.password)
  return { ...emailProblem(values.email), ...(password && { password }), ...emptyOnes(values) }
}

/** Of a request for a code, which needs nothing but the address. */
export function emailProblem(email: string): Problems<'email'> {
  if (email.trim() === '') return { email: MESSAGES.contactEmailRequired }
  return EMAIL.test(email.trim()) ? {} : { email: MESSAGES.contactEmailInvalid }
}

export function newPasswordProblem(password: string): string | undefined {
  return password.trim().length < ACCOUNT_LIMITS.shortestPassword ? MESSAGES.passwordTooShort : undefined
}

export function codeProblem(code: string): string | undefined {
  return codeDigits(code).length === CODE_LENGTH ? undefined : MESSAGES.codeRequired
}

/** The digits of a code, however it was pasted: `123 456`, `123-456`. */
export function codeDigits(typed: string): string {
  return typed.replace(/\D/g, '')
}

export type ProfileField = 'name' | 'phoneNumber' | 'address.pincode'

export function profileProblems(values: Record<ProfileField, string>): Problems<ProfileField> {
  const { name, phoneNumber, 'address.pincode': pincode } = values
  return {
    ...(name.trim() === '' && { name: MESSAGES.nameRequired }),
    ...(!/^(\d{10})?$/.test(phoneDigits(phoneNumber)) && { phoneNumber: MESSAGES.phoneInvalid }),
    ...(!/^(\d{6})?$/.test(pincodeDigits(pincode)) && { 'address.pincode': MESSAGES.pincodeInvalid })
  }
}

/** `620 001` as `620001`. */
export function pincodeDigits(typed: string): string {
  return typed.replace(/\s/g, '')
}

// The server asks more of an address; this only catches what is none at first sight.
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

function emptyOnes<Name extends string>(values: Record<Name, string>): Problems<Name> {
  const empty = Object.entries<string>(values).filter(([, value]) => value.trim() === '')
  return Object.fromEntries(empty.map(([name]) => [name, MESSAGES.fillInAll])) as Problems<Name>
}
