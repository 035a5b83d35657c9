import { describe, expect, test } from 'vitest'
import { logInAsAdmin, call, statusAndCode, register } from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'

/** The specification has these where visitors read. */
const BESIDE_VISITORS = ['POST /discounted-products', 'PATCH /discounted-products/x', 'DELETE /discounted-products/x']

/** Every call of the owner's side, as the API itself lists them: `PATCH /admin/products/x`. */
async function ownersCalls(shop: Shop): Promise<string[]> {
  const { paths } = (await shop.get('/docs/json')).body as { paths: Record<string, object> }
  return Object.entries(paths)
    .filter(([path]) => path.includes('/admin/'))
    .flatMap(([path, methods]) =>
      Object.keys(methods).map(
        method => `${method.toUpperCase()} ${path.replace(/^\/api/, '').replace(/\{\w+\}/g, 'x')}`
      )
    )
}

describe.each(ENGINES)('every call of the owner’s side on %s', engine => {
  test('is refused to visitors and to shoppers, before anything that they sent is read', async () => {
    const shop = await openShop(engine)
    const calls = [...(await ownersCalls(shop)), ...BESIDE_VISITORS]
    expect(calls).toContain('PATCH /admin/products/x')
    const shopper = await register(shop)
    for (const line of calls) {
      expect(statusAndCode(await call(shop, line, { body: 'nonsense' })), line).toBe('401 UNAUTHORIZED')
      expect(statusAndCode(await call(shop, line, { token: 'x'.repeat(43) })), line).toBe('401 UNAUTHORIZED')
      const refused = await call(shop, line, { token: shopper.token, body: { role: 'admin' } })
      expect(statusAndCode(refused), line).toBe('403 FORBIDDEN')
    }
  })

  test('lets an administrator in only as long as they are one', async () => {
    const shop = await openShop(engine)
    const { token, user } = await logInAsAdmin(shop)
    expect(statusAndCode(await call(shop, 'GET /admin/products', { token }))).toBe('200')
    await shop.write(trx => trx.updateTable('users').set({ role: 'user' }).where('id', '=', user._id).execute())
    expect(statusAndCode(await call(shop, 'GET /admin/products', { token }))).toBe('403 FORBIDDEN')
  })
})
