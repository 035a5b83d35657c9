import { describe, expect, test } from 'vitest'
import { logInAsAdmin, call, statusAndCode, register } from '../support/accounts.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** Admin calls that the specification places outside /admin. */
const CALLS_OUTSIDE_ADMIN = [
  'POST /discounted-products',
  'PATCH /discounted-products/x',
  'DELETE /discounted-products/x'
]

/** Reads the calls from the OpenAPI document, e.g. `PATCH /admin/products/x`. */
async function listAdminCalls(shop: Shop): Promise<string[]> {
  const { paths } = (await shop.get('/docs/json')).body as { paths: Record<string, object> }
  return Object.entries(paths)
    .filter(([path]) => path.includes('/admin/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map(
        method => `${method.toUpperCase()} ${path.replace(/^\/api/, '').replace(/\{\w+\}/g, 'x')}`
      )
    )
}

describe('Admin calls', () => {
  test('refuse visitors and shoppers before validating the body', async () => {
    const shop = await openShop('sqlite')
    const calls = [...(await listAdminCalls(shop)), ...CALLS_OUTSIDE_ADMIN]
    expect(calls).toContain('PATCH /admin/products/x')
    const shopper = await register(shop)
    for (const line of calls) {
      expect(statusAndCode(await call(shop, line, { body: 'nonsense' })), line).toBe('401 UNAUTHORIZED')
      expect(statusAndCode(await call(shop, line, { token: 'x'.repeat(43) })), line).toBe('401 UNAUTHORIZED')
      const refused = await call(shop, line, { token: shopper.token, body: { role: 'admin' } })
      expect(statusAndCode(refused), line).toBe('403 FORBIDDEN')
    }
  })

  test('refuse a demoted administrator', async () => {
    const shop = await openShop('sqlite')
    const { token, user } = await logInAsAdmin(shop)
    expect(statusAndCode(await call(shop, 'GET /admin/products', { token }))).toBe('200')
    await shop.write(trx => trx.updateTable('users').set({ role: 'user' }).where('id', '=', user._id).execute())
    expect(statusAndCode(await call(shop, 'GET /admin/products', { token }))).toBe('403 FORBIDDEN')
  })
})
