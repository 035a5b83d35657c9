import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readOptions } from '#server/razorpay/sandbox/options.ts'

describe('Sandbox options', () => {
  test('have defaults for a shop on the same machine', () => {
    expect(readOptions([])).toMatchObject({
      port: 4330,
      data: resolve('data/sandbox'),
      webhookUrl: 'http://127.0.0.1:4321/api/payments/razorpay-webhook',
      firstRetryDelay: 5000
    })
  })

  test('are parsed', () => {
    const args = ['--port', '4420', '--data', '/srv/sandbox']
    expect(readOptions(args)).toMatchObject({ port: 4420, data: '/srv/sandbox' })
  })

  test.for([
    [['--port', 'many'], /--port must be a whole number/],
    [['--webhook-url', 'shop'], /--webhook-url must be a URL/],
    [['--colour'], /Unknown option '--colour'/]
  ] as const)('report invalid values: %o', ([args, line]) => {
    expect(() => readOptions(args)).toThrow(line)
  })
})
