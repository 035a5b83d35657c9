import { ACCOUNT_LIMITS, CODE_LENGTH, EMAIL, FIRST_ADMIN_NAME } from '../constants.ts'
import {
  FIELD_TEXTS,
  normalizeEmail,
  normalizePhone,
  toCode,
  toDigits,
  toOneLine
} from '../contract/formats.ts'

export type Choices = readonly (readonly [value: string, label: string])[]

/** Repeats checks of `lib/contract`: zod is too large for a page. */
export type Problems<Name extends string> = Partial<Record<Name, string>>

export function validateLogin(values: {
  email: string
  password: string
}): Problems<'email' | 'password'> {
  return { ...validateEmail(values.email), ...findEmptyFields(values) }
}

export function validateRegistration(
  values: Record<'displayName' | 'email' | 'password', string>
): Problems<'displayName' | 'email' | 'password'> {
  const password = toProblems({ password: validateNewPassword(values.password) })
  return { ...validateEmail(values.email), ...password, ...findEmptyFields(values) }
}

export function validateEmail(email: string): Problems<'email'> {
  if (isBlank(email)) return { email: FIELD_TEXTS.contactEmailRequired }
  return EMAIL.test(normalizeEmail(email)) ? {} : { email: FIELD_TEXTS.contactEmailInvalid }
}

export function validateNewPassword(password: string): string | undefined {
  return password.trim().length < ACCOUNT_LIMITS.passwordMin
    ? FIELD_TEXTS.passwordTooShort
    : undefined
}

export function validateCode(code: string): string | undefined {
  return removeNonDigits(code).length === CODE_LENGTH ? undefined : FIELD_TEXTS.codeRequired
}

export function removeNonDigits(typed: string): string {
  return toCode(typed, /\D/g)
}

type ProfileField = 'name' | 'phoneNumber' | 'address.pincode'

export function validateProfile(values: Record<ProfileField, string>): Problems<ProfileField> {
  const { name, phoneNumber, 'address.pincode': pincode } = values
  return toProblems({
    name: isBlank(name) && FIELD_TEXTS.nameRequired,
    phoneNumber: !/^(\d{10})?$/.test(normalizePhone(phoneNumber)) && FIELD_TEXTS.phoneInvalid,
    'address.pincode': !/^(\d{6})?$/.test(toDigits(pincode)) && FIELD_TEXTS.pincodeInvalid
  })
}

export function toProblems<Name extends string>(texts: {
  [Field in Name]?: string | false | undefined
}): Problems<Name> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text)) as Problems<Name>
}

type Group<Values, Name extends string> = {
  [Key in keyof Values as Key extends `${Name}.${infer Rest}` ? Rest : never]: string
}

/** 'address.street' becomes `street`, trimmed. */
export function readGroup<Values extends Record<string, string>, Name extends string>(
  values: Values,
  name: Name
): Group<Values, Name> {
  const own = Object.entries(values).filter(([key]) => key.startsWith(`${name}.`))
  return Object.fromEntries(
    own.map(([key, text]) => [key.slice(name.length + 1), text.trim()])
  ) as Group<Values, Name>
}

/** Reverses `readGroup`. */
export function toGroup<Values extends object, Name extends string>(
  values: Values,
  name: Name
): { [Key in keyof Values as `${Name}.${Key & string}`]: Values[Key] } {
  return Object.fromEntries(
    Object.entries(values).map(([key, text]) => [`${name}.${key}`, text])
  ) as ReturnType<typeof toGroup<Values, Name>>
}

export function isBlank(text: string): boolean {
  return toOneLine(text) === ''
}

function findEmptyFields<Name extends string>(values: Record<Name, string>): Problems<Name> {
  const names = Object.keys(values) as Name[]
  return Object.fromEntries(
    names.filter(name => isBlank(values[name])).map(name => [name, FIELD_TEXTS.fillInAll])
  ) as Problems<Name>
}

export function nameFromEmail(email: string): string {
  return email.slice(0, email.lastIndexOf('@'))
}

/** False for a name that nobody has typed. */
export function isTypedName({ name, email }: { name: string; email: string }): boolean {
  return name !== FIRST_ADMIN_NAME && name !== nameFromEmail(email)
}

const COMMON_DOMAINS = [
  'gmail.com',
  'yahoo.com',
  'yahoo.co.in',
  'yahoo.in',
  'hotmail.com',
  'outlook.com',
  'rediffmail.com',
  'icloud.com',
  'protonmail.com',
  'zohomail.in'
]
/** Not typos of the domains above. */
const SIMILAR_DOMAINS = ['ymail.com', 'mail.com', 'email.com', 'zohomail.com']

/** 'priya@gmail.com' for 'priya@gmial.com' */
export function suggestEmail(typed: string): string | undefined {
  const [, name, domain = ''] = /^(.+@)([^@]+)$/.exec(normalizeEmail(typed)) ?? []
  if (name === undefined || [...COMMON_DOMAINS, ...SIMILAR_DOMAINS].includes(domain))
    return undefined
  const meant = COMMON_DOMAINS.find(known => isOneTypoOff(domain, known))
  return meant && `${name}${meant}`
}

function isOneTypoOff(typed: string, meant: string) {
  let at = 0
  while (at < meant.length && typed[at] === meant[at]) at++
  const [typedRest, meantRest] = [typed.slice(at), meant.slice(at)]
  const isSwapped = typedRest[0] === meantRest[1] && typedRest[1] === meantRest[0]
  return (
    typedRest.slice(1) === meantRest.slice(1) ||
    typedRest.slice(1) === meantRest ||
    typedRest === meantRest.slice(1) ||
    (isSwapped && typedRest.slice(2) === meantRest.slice(2))
  )
}
