import { describe, expect, test } from 'vitest'
import { toErrorBody } from '#server/platform/http/errors.ts'
import { ERRORS } from '#lib/error-catalogue.ts'
import { ShopError, type ErrorCode } from '#lib/errors.ts'
import { FIELD_TEXTS } from '#lib/contract/field-texts.ts'

describe('ShopError', () => {
  test('is sent with the text of its first invalid field', () => {
    const fields = { name: FIELD_TEXTS.contactNameRequired, email: FIELD_TEXTS.contactEmailInvalid }
    const error = new ShopError('INVALID_INPUT', { fields })
    expect(error.message).toBe(FIELD_TEXTS.contactNameRequired)
    expect(toErrorBody(error)).toEqual({
      code: 'INVALID_INPUT',
      message: FIELD_TEXTS.contactNameRequired,
      fields
    })
  })
})

test('Each error has a known status and a text', () => {
  for (const [code, [status]] of Object.entries(ERRORS)) {
    expect([400, 401, 403, 404, 409, 413, 415, 417, 422, 429, 500, 503], code).toContain(status)
    expect(toErrorBody(new ShopError(code as ErrorCode)).message, code).toMatch(/[a-z]/)
  }
})
