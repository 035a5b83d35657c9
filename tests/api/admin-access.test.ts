import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { ACCESS, mayCall, type AdminCall } from '#lib/admin/access.ts'
import { STAFF, type Staff } from '#lib/contract/names.ts'
import { HOUR } from '#lib/time.ts'
import { session } from '#server/accounts/sessions.ts'
import { call, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { addShopper } from '../support/checkout.ts'
import { openPublishingShop } from '../support/publishing-shop.ts'

const CALLS = Object.keys(ACCESS) as AdminCall[]
const fillIn = (line: string) => line.replace(/\{\w+\}/g, 'x')

describe('Each admin call', () => {
  test('of the running shop has a row in the table, and each row has a call', async () => {
    const { shop } = await openPublishingShop('sqlite')
    const { paths } = (await shop.get('/docs/json')).body as { paths: Record<string, object> }
    const calls = Object.entries(paths)
      .filter(([path]) => path.includes('/admin/'))
      .flatMap(([path, methods]) =>
        Object.keys(methods).map(method => `${method.toUpperCase()} ${path.replace(/^\/api/, '')}`)
      )
    const listed = CALLS.filter(line => line.includes(' /admin/'))
    expect(calls.toSorted()).toEqual(listed.toSorted())
  })

  test('is allowed to the roles of its row, and to nobody else', async () => {
    const { shop } = await openPublishingShop('sqlite')
    const tokens = new Map<Staff | null, string>()
    for (const staff of [...STAFF, null])
      tokens.set(staff, (await addShopper(shop, staff ?? 'anita', staff)).token)
    // After an hour, calls that need a recent verification ask for it instead of doing their work.
    shop.clock.advance(HOUR)
    for (const line of CALLS) {
      for (const [staff, token] of tokens) {
        const outcome = statusAndCode(await call(shop, fillIn(line), { token, body: 'nonsense' }))
        if (mayCall(staff, line))
          expect(outcome, `${line} as ${staff}`).not.toMatch(/401|FORBIDDEN/)
        else expect(outcome, `${line} as ${staff ?? 'customer'}`).toBe('403 FORBIDDEN')
      }
      for (const token of [undefined, 'x'.repeat(43)]) {
        const reply = await call(shop, fillIn(line), { token, body: 'nonsense' })
        await expectOutcome(reply, '401 UNAUTHORIZED', line)
      }
    }
    const token = tokens.get('kitchen')
    await expectOk(call(shop, 'HEAD /admin/kitchen/orders', { token }))
    expect((await call(shop, 'HEAD /admin/orders', { token })).status).toBe(403)
  })

  test('must have a row, or the shop does not start', async () => {
    const app = Fastify()
    await app.register(session)
    expect(() => app.get('/api/admin/secrets/:id', async () => 'secret')).toThrow(
      'The admin route "GET /admin/secrets/{id}" has no row in src/lib/admin/access.ts'
    )
  })
})

describe('The table', () => {
  const listForbidden = (staff: Staff) => CALLS.filter(line => !mayCall(staff, line)).toSorted()

  test('keeps people, set-up, legal details, taxes, mail settings, backups and payments from managers', () => {
    const sections = ['legal', 'tax', 'mail', 'payments'].flatMap(section => [
      `GET /admin/settings/${section}`,
      `PUT /admin/settings/${section}`,
      `GET /admin/settings/${section}/versions`,
      `GET /admin/settings/${section}/versions/{version}`
    ])
    expect(listForbidden('manager')).toEqual(
      [
        'GET /admin/backups',
        'POST /admin/backups',
        'POST /admin/confirm-live',
        'POST /admin/orders/{id}/acknowledge',
        'GET /admin/unmatched-payments',
        'POST /admin/unmatched-payments/{id}',
        'GET /admin/tax-report',
        'GET /admin/setup',
        'POST /admin/settings/mail/test',
        'POST /admin/settings/payments/test',
        'DELETE /admin/demo-data',
        'POST /admin/users/{id}/staff',
        'PUT /admin/login',
        'GET /admin/invitations',
        'POST /admin/invitations',
        'DELETE /admin/invitations/{id}',
        'POST /admin/users/{id}/logout',
        ...sections
      ].toSorted()
    )
  })

  test('allows the kitchen only its own calls, and everything to owners', () => {
    const allowed = CALLS.filter(line => mayCall('kitchen', line))
    expect(allowed.filter(line => !line.includes(' /admin/kitchen'))).toEqual([
      'POST /admin/verification'
    ])
    expect(listForbidden('owner')).toEqual([])
  })
})
