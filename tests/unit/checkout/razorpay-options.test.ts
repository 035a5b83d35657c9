import { describe, expect, test } from 'vitest'
import { isInAppBrowser, toRazorpayOptions } from '#lib/stores/razorpay.ts'
import { STARTED } from '../../stores/checkout-page.ts'

const CHROME =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36'

function options(userAgent = CHROME) {
  const doNothing = () => undefined
  const customer = { name: 'Priya Raman', email: 'priya@example.test', phone: '9876543210' }
  const callbackUrl = 'https://shop.example/api/payments/razorpay-callback'
  return toRazorpayOptions({
    order: { ...STARTED, id: 'order_1' },
    customer,
    shopName: 'Palagaram',
    callbackUrl,
    userAgent,
    onPaid: doNothing,
    onClosed: doNothing
  })
}

describe('Options of the payment window', () => {
  test('take amount, currency and colour from the order and prefill the customer', () => {
    expect(options()).toMatchObject({
      key: 'rzp_test_1',
      amount: 36_000,
      currency: 'INR',
      order_id: 'order_1',
      theme: { color: '#9B2C1F' },
      name: 'Palagaram',
      timeout: 900,
      prefill: { name: 'Priya Raman', email: 'priya@example.test', contact: '+919876543210' }
    })
  })

  test('contain a handler function and no callback URL for ordinary browsers', () => {
    expect(options()).toHaveProperty('handler')
    expect(options()).not.toHaveProperty('callback_url')
    const safari =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1'
    expect([CHROME, safari].map(isInAppBrowser)).toEqual([false, false])
  })

  test.for([
    `${CHROME} Instagram 300.0.0.0 Android`,
    `${CHROME} [FBAN/FB4A;FBAV/440.0]`,
    'Mozilla/5.0 (Linux; U; Android 9; en-US) AppleWebKit/534.30 (KHTML, like Gecko) UCBrowser/13.4 Mobile',
    'Mozilla/5.0 (Linux; Android 14; wv) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36'
  ])('contain a callback URL and no handler function for the in-app browser %s', userAgent => {
    expect(isInAppBrowser(userAgent)).toBe(true)
    expect(options(userAgent)).toMatchObject({
      callback_url: 'https://shop.example/api/payments/razorpay-callback',
      redirect: true
    })
    expect(options(userAgent)).not.toHaveProperty('handler')
  })
})
