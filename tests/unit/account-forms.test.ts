import { describe, expect, test } from 'vitest'
import { findPasswordAdvice, parsePasswordList } from '#lib/account/passwords.ts'
import commonPasswords from '#lib/account/common-passwords.txt?raw'
import {
  removeNonDigits,
  suggestEmail,
  validateCode,
  validateEmail,
  validateLogin,
  validateProfile,
  validateRegistration
} from '#lib/account/forms.ts'
import { normalizePhone, toDigits } from '#lib/contract/formats.ts'
import { MESSAGES } from '#lib/messages.ts'
import { CodeLogin, Login, Profile, Registration } from '#lib/contract/accounts.ts'

const EMAILS = ['a@b.co', ' a@b.co ', '', '  ', 'anita', 'a@b', 'a b@c.de', '@b.co']
const PASSWORDS = ['secret', ' secret ', 'five5', '      ', '', '12345 ']
const NAMES = ['Anita Kumar', ' A ', '', '   ']
const CODES = ['123456', '123-456', '12345', '1234567', '', 'abcdef']
const PHONES = ['', '9876543210', '+91 98765-43210', '12345', '98765432101', 'call me']
const PINCODES = ['', '620 001', '62001', '6200011', 'six']

describe('Client-side validation of account forms', () => {
  test('reports the same login and registration problems as the API schemas', () => {
    for (const email of EMAILS)
      for (const password of PASSWORDS) {
        const login = { email, password }
        expect(validateLogin(login), email).toEqual(schemaProblems(Login, login))
        for (const displayName of NAMES)
          expect(validateRegistration({ ...login, displayName })).toEqual(
            schemaProblems(Registration, { ...login, displayName })
          )
      }
  })

  test.for(CODES)('reports the same one-time code problems as the API schema: %j', typed => {
    const sent = { email: 'a@b.co', otp: removeNonDigits(typed) }
    expect(validateCode(typed)).toBe(schemaProblems(CodeLogin, sent)['otp'])
  })

  test('reports the same profile problems as the API schema', () => {
    for (const name of NAMES)
      for (const phoneNumber of PHONES)
        for (const pincode of PINCODES) {
          const address = { pincode: toDigits(pincode) }
          const sent = { name, phoneNumber: normalizePhone(phoneNumber), address }
          expect(validateProfile({ name, phoneNumber, 'address.pincode': pincode })).toEqual(
            schemaProblems(Profile, sent)
          )
        }
  })
})

test("'Please enter your email' is shown in a form with only an email field", () => {
  expect(validateEmail(' ')).toEqual({ email: 'Please enter your email' })
  expect(validateEmail('anita@x..in')).toEqual({ email: 'Please enter a valid email address' })
})

test.for([
  ['priya@gmial.com', 'priya@gmail.com'],
  ['Priya@Gmail.con', 'priya@gmail.com'],
  ['priya@yaho.co.in', 'priya@yahoo.co.in'],
  ['priya@gmail.com', undefined],
  ['priya@ymail.com', undefined],
  ['priya@example.com', undefined],
  ['@gmial.com', undefined]
] as const)('the address %s gets the suggestion %s', ([typed, meant]) => {
  expect(suggestEmail(typed)).toBe(meant)
})

describe('Advice on a new password', () => {
  const list = parsePasswordList(commonPasswords)
  const adviceOn = (password: string) => findPasswordAdvice(password, list)
  const LONGER = 'A longer password is safer. Try three or four unrelated words.'

  test('rejects more than a thousand common passwords, in upper and lower case', () => {
    expect(list.size).toBeGreaterThan(1000)
    for (const common of list) {
      expect(adviceOn(common), common).toBe(MESSAGES.passwordCommon)
      expect(adviceOn(` ${common.toUpperCase()} `), common).toBe(MESSAGES.passwordCommon)
    }
  })

  test.for(['P4ssw0rd!', 'murukku2024', '123password', 'Chennai600001', 'asdf-1234'])(
    'rejects a common word with digits and symbols: %s',
    password => expect(adviceOn(password)).toBe(MESSAGES.passwordCommon)
  )

  test.for(['9842012345', 'abcabcabc', 'xyxyxyxyx', 'poiuytrewq-lkjhg', 'klmnopqr'])(
    'rejects digits, repetitions and keyboard rows: %s',
    password => expect(adviceOn(password)).toMatch(/easy to guess|first passwords/)
  )

  test.for([
    ['tr4vel', LONGER],
    ['Zx!9pQ', LONGER],
    ['', undefined],
    ['kesari-47', undefined],
    ['நல்ல முறுக்கு', undefined]
  ] as const)('says about "%s": %s', ([password, advice]) =>
    expect(adviceOn(password)).toBe(advice)
  )
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
