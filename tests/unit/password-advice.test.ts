import { describe, expect, test } from 'vitest'
import { MESSAGES } from '#lib/messages.ts'
import { passwordAdvice } from '#lib/passwords/advice.ts'
import { COMMON_PASSWORDS } from '#lib/passwords/common.ts'

describe('advice on a new password', () => {
  test('knows more than the thousand most common, of which none is guessed less for its capitals', () => {
    expect(COMMON_PASSWORDS.size).toBeGreaterThan(1000)
    for (const common of COMMON_PASSWORDS) {
      expect(passwordAdvice(common), common).toBe(MESSAGES.passwordCommon)
      expect(passwordAdvice(` ${common.toUpperCase()} `), common).toBe(MESSAGES.passwordCommon)
    }
  })

  test.for(['Priya@1987', 'P4ssw0rd!', 'murukku2024', '123password', 'Chennai600001', 'asdf-1234', 'iloveyou!!'])(
    'sees through what is put around and into a word: %s',
    password => expect(passwordAdvice(password)).toBe(MESSAGES.passwordCommon)
  )

  test.for(['9842012345', '19871105', 'abcabcabc', 'xyxyxyxyx', 'qwertyasdfgh', 'poiuytrewq-lkjhg', 'klmnopqr'])(
    'sees digits, repetitions and rows of keys: %s',
    password => expect(passwordAdvice(password)).toMatch(/easy to guess|first passwords/)
  )

  test.for(['tr4vel', 'Zx!9pQ', 'x'])('asks for more than %s', password => {
    expect(passwordAdvice(password)).toBe(MESSAGES.passwordShort)
  })

  test.for(['', '  ', 'kesari-47', 'blue sky over trichy', 'correct horse', 'நல்ல முறுக்கு', 'qwxz8!lemonade-bus'])(
    'has nothing to say about "%s"',
    password => expect(passwordAdvice(password)).toBeUndefined()
  )
})
