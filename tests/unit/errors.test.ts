import { describe, expect, test } from 'vitest'
import { toErrorBody } from '#server/platform/http/errors.ts'
import { ERRORS } from '#lib/error-catalogue.ts'
import { ShopError, type ErrorCode } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import { FIELD_TEXTS } from '#lib/contract/field-texts.ts'

describe('ShopError', () => {
  test('is sent with the text of its code', () => {
    const error = new ShopError('PRODUCT_NOT_FOUND')
    expect(toErrorBody(error)).toEqual({
      code: 'PRODUCT_NOT_FOUND',
      message: MESSAGES.productNotFound
    })
  })

  test('uses the message of the first invalid field', () => {
    const fields = { name: FIELD_TEXTS.contactNameRequired, email: FIELD_TEXTS.contactEmailInvalid }
    const error = new ShopError('INVALID_INPUT', { fields })
    expect(error.message).toBe(FIELD_TEXTS.contactNameRequired)
    expect(toErrorBody(error)).toEqual({
      code: 'INVALID_INPUT',
      message: FIELD_TEXTS.contactNameRequired,
      fields
    })
  })

  test('uses the server’s message instead of the default message and keeps the cause', () => {
    const cause = new TypeError('fetch failed')
    const error = new ShopError('UNAVAILABLE', {
      message: 'Back at six.',
      fields: { a: 'b' },
      cause
    })
    expect(error.message).toBe('Back at six.')
    expect(error.cause).toBe(cause)
    expect(error.name).toBe('ShopError')
  })
})

describe('Error catalogue', () => {
  test.for(Object.entries(ERRORS))('%s has a known status and a text', ([code, [status]]) => {
    expect([400, 401, 403, 404, 409, 413, 415, 417, 422, 429, 500, 503]).toContain(status)
    expect(toErrorBody(new ShopError(code as ErrorCode)).message).toMatch(/[a-z]/)
  })
})
