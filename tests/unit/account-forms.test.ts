import { describe, expect, test } from 'vitest'
import {
  removeNonDigits,
  validateCode,
  validateEmail,
  validateLogin,
  validateNewPassword,
  validateProfile,
  validateRegistration
} from '#lib/account/forms.ts'
import { normalizePhone, removeSpaces } from '#lib/contract/formats.ts'
import { CodeLogin, Login, Profile, Registration } from '#lib/contract/accounts.ts'

const EMAILS = [
  'a@b.co',
  ' a@b.co ',
  'anita.kumar+x@mail.example.in',
  '',
  '  ',
  'anita',
  'a@b',
  'a b@c.de',
  '@b.co'
]
const PASSWORDS = ['secret', ' secret ', 'five5', '      ', '', 'a longer one', '12345 ']
const NAMES = ['Anita Kumar', ' A ', '', '   ']
const CODES = ['123456', '123 456', '123-456', '12345', '1234567', '', 'abcdef', ' 1 2 3 4 5 6 ']
const PHONES = [
  '',
  '9876543210',
  '+91 98765-43210',
  '098765 43210',
  '12345',
  '98765432101',
  'call me'
]
const PINCODES = ['', '620001', '620 001', '62001', '6200011', 'six']

describe('Client-side validation of account forms', () => {
  test.for(EMAILS.flatMap(email => PASSWORDS.map(password => ({ email, password }))))(
    'reports the same login problems as the API schema: %j',
    values => expect(validateLogin(values)).toEqual(schemaProblems(Login, values))
  )

  test.for(EMAILS.flatMap(email => NAMES.map(displayName => ({ email, displayName }))))(
    'reports the same registration problems as the API schema: %j',
    values => {
      for (const password of PASSWORDS)
        expect(validateRegistration({ ...values, password })).toEqual(
          schemaProblems(Registration, { ...values, password })
        )
    }
  )

  test.for(CODES)('reports the same one-time code problems as the API schema: %j', typed => {
    const sent = { email: 'a@b.co', otp: removeNonDigits(typed) }
    expect(validateCode(typed)).toBe(schemaProblems(CodeLogin, sent)['otp'])
  })

  test.for(PHONES.flatMap(phoneNumber => PINCODES.map(pincode => ({ phoneNumber, pincode }))))(
    'reports the same profile problems as the API schema: %j',
    ({ phoneNumber, pincode }) => {
      for (const name of NAMES) {
        const sent = {
          name,
          phoneNumber: normalizePhone(phoneNumber),
          address: { pincode: removeSpaces(pincode) }
        }
        expect(validateProfile({ name, phoneNumber, 'address.pincode': pincode })).toEqual(
          schemaProblems(Profile, sent)
        )
      }
    }
  )
})

describe('Account form messages', () => {
  test("shows 'Please fill in all fields' at each empty field", () => {
    expect(validateLogin({ email: '', password: ' ' })).toEqual({
      email: 'Please fill in all fields',
      password: 'Please fill in all fields'
    })
  })

  test("shows 'Password must be at least 6 characters long'", () => {
    expect(validateNewPassword(' five5 ')).toBe('Password must be at least 6 characters long')
    expect(validateNewPassword('sixsix')).toBeUndefined()
  })

  test("shows 'Please enter your email' in a form with only an email field", () => {
    expect(validateEmail(' ')).toEqual({ email: 'Please enter your email' })
    expect(validateEmail('anita')).toEqual({ email: 'Please enter a valid email address' })
  })

  test("shows 'Name is required.'", () => {
    expect(validateProfile({ name: ' ', phoneNumber: '', 'address.pincode': '' })).toEqual({
      name: 'Name is required.'
    })
  })
})

interface Schema {
  safeParse(value: unknown): {
    error?: { issues: readonly { path: PropertyKey[]; message: string }[] } | undefined
  }
}

/** Returns the first issue of each field. */
function schemaProblems(schema: Schema, value: unknown): Record<string, string> {
  const issues = schema.safeParse(value).error?.issues ?? []
  return Object.fromEntries(
    [...issues].reverse().map(({ path, message }) => [path.join('.'), message])
  )
}
