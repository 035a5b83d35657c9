import { ACCOUNT_LIMITS, CODE_LENGTH, DEFAULT_COUNTRY_CODE } from '../constants.ts'
import { MESSAGES } from '../messages.ts'

/** Converts '+91 98765-43210' to '9876543210'. If it is no phone number, only removes spaces and punctuation. */
export function normalizePhone(typed: string): string {
  const compact = typed.replace(/[\s()./\u2010-\u2015-]/g, '')
  return /^(?:\+91|0091|91|0)?(\d{10})$/.exec(compact)?.[1] ?? compact
}

export function formatPhone(digits: string): string {
  return `${DEFAULT_COUNTRY_CODE} ${digits.slice(0, 5)} ${digits.slice(5)}`
}

/** Error texts by field. The functions below repeat checks of `lib/contract`, because zod is too large for a page. */
export type Problems<Name extends string> = Partial<Record<Name, string>>

export function validateLogin(values: { email: string; password: string }): Problems<'email' | 'password'> {
  return { ...validateEmail(values.email), ...findEmptyFields(values) }
}

export function validateRegistration(
  values: Record<'displayName' | 'email' | 'password', string>
): Problems<'displayName' | 'email' | 'password'> {
  const password = validateNewPassword(values.password)
  return { ...validateEmail(values.email), ...(password && { password }), ...findEmptyFields(values) }
}

export function validateEmail(email: string): Problems<'email'> {
  if (email.trim() === '') return { email: MESSAGES.contactEmailRequired }
  return EMAIL.test(email.trim()) ? {} : { email: MESSAGES.contactEmailInvalid }
}

export function validateNewPassword(password: string): string | undefined {
  return password.trim().length < ACCOUNT_LIMITS.passwordMin ? MESSAGES.passwordTooShort : undefined
}

export function validateCode(code: string): string | undefined {
  return removeNonDigits(code).length === CODE_LENGTH ? undefined : MESSAGES.codeRequired
}

export function removeNonDigits(typed: string): string {
  return typed.replace(/\D/g, '')
}

export type ProfileField = 'name' | 'phoneNumber' | 'address.pincode'

export function validateProfile(values: Record<ProfileField, string>): Problems<ProfileField> {
  const { name, phoneNumber, 'address.pincode': pincode } = values
  return {
    ...(name.trim() === '' && { name: MESSAGES.nameRequired }),
    ...(!/^(\d{10})?$/.test(normalizePhone(phoneNumber)) && { phoneNumber: MESSAGES.phoneInvalid }),
    ...(!/^(\d{6})?$/.test(removeSpaces(pincode)) && { 'address.pincode': MESSAGES.pincodeInvalid })
  }
}

export function removeSpaces(typed: string): string {
  return typed.replace(/\s/g, '')
}

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

function findEmptyFields<Name extends string>(values: Record<Name, string>): Problems<Name> {
  const empty = Object.entries<string>(values).filter(([, value]) => value.trim() === '')
  return Object.fromEntries(empty.map(([name]) => [name, MESSAGES.fillInAll])) as Problems<Name>
}
