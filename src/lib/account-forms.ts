import { ACCOUNT_LIMITS, CODE_LENGTH } from './constants.ts'
import { MESSAGES } from './messages.ts'
import { phoneDigits } from './phone.ts'

/** Error texts by field. These checks repeat the contract, because zod is too large for a page. */
export type Problems<Name extends string> = Partial<Record<Name, string>>

export function loginProblems(values: { email: string; password: string }): Problems<'email' | 'password'> {
  return { ...emailProblem(values.email), ...emptyFields(values) }
}

export function registrationProblems(
  values: Record<'displayName' | 'email' | 'password', string>
): Problems<'displayName' | 'email' | 'password'> {
  const password = newPasswordProblem(values.password)
  return { ...emailProblem(values.email), ...(password && { password }), ...emptyFields(values) }
}

export function emailProblem(email: string): Problems<'email'> {
  if (email.trim() === '') return { email: MESSAGES.contactEmailRequired }
  return EMAIL.test(email.trim()) ? {} : { email: MESSAGES.contactEmailInvalid }
}

export function newPasswordProblem(password: string): string | undefined {
  return password.trim().length < ACCOUNT_LIMITS.passwordMin ? MESSAGES.passwordTooShort : undefined
}

export function codeProblem(code: string): string | undefined {
  return codeDigits(code).length === CODE_LENGTH ? undefined : MESSAGES.codeRequired
}

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

export function pincodeDigits(typed: string): string {
  return typed.replace(/\s/g, '')
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

function emptyFields<Name extends string>(values: Record<Name, string>): Problems<Name> {
  const empty = Object.entries<string>(values).filter(([, value]) => value.trim() === '')
  return Object.fromEntries(empty.map(([name]) => [name, MESSAGES.fillInAll])) as Problems<Name>
}
