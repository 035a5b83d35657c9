import { describe, expect, test } from 'vitest'
import { findPasswordAdvice, COMMON_PASSWORDS } from '#lib/account/passwords.ts'
import { MESSAGES } from '#lib/messages.ts'

describe('Advice on a new password', () => {
  test('rejects more than a thousand common passwords, in upper and lower case', () => {
    expect(COMMON_PASSWORDS.size).toBeGreaterThan(1000)
    for (const common of COMMON_PASSWORDS) {
      expect(findPasswordAdvice(common), common).toBe(MESSAGES.passwordCommon)
      expect(findPasswordAdvice(` ${common.toUpperCase()} `), common).toBe(MESSAGES.passwordCommon)
    }
  })

  test.for([
    'Priya@1987',
    'P4ssw0rd!',
    'murukku2024',
    '123password',
    'Chennai600001',
    'asdf-1234',
    'iloveyou!!'
  ])('rejects a common word with digits and symbols: %s', password =>
    expect(findPasswordAdvice(password)).toBe(MESSAGES.passwordCommon)
  )

  test.for([
    '9842012345',
    '19871105',
    'abcabcabc',
    'xyxyxyxyx',
    'qwertyasdfgh',
    'poiuytrewq-lkjhg',
    'klmnopqr'
  ])('rejects digits, repetitions and keyboard rows: %s', password =>
    expect(findPasswordAdvice(password)).toMatch(/easy to guess|first passwords/)
  )

  test.for(['tr4vel', 'Zx!9pQ', 'x'])('asks for a longer password than %s', password => {
    expect(findPasswordAdvice(password)).toBe(
      'A longer password is safer. Try three or four unrelated words.'
    )
  })

  test.for([
    '',
    '  ',
    'kesari-47',
    'blue sky over trichy',
    'correct horse',
    'நல்ல முறுக்கு',
    'qwxz8!lemonade-bus'
  ])('accepts "%s"', password => expect(findPasswordAdvice(password)).toBeUndefined())
})
