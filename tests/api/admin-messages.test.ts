import { describe, expect, test } from 'vitest'
import type { AdminMessage, MessageList } from '#lib/contract/content.ts'
import { DAY, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/app.ts'
import { ANITA, call, logInByCode, register, requestCode, statusAndCode } from '../support/accounts.ts'
import { withAdmin, type AdminShop } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Shop } from '../support/shop.ts'

async function listMessages(shop: AdminShop, query = ''): Promise<AdminMessage[]> {
  return ((await shop.callAsAdmin(`GET /admin/messages${query}`)).body as MessageList).messages
}

async function openShopWithMessages(engine: (typeof ENGINES)[number]) {
  const shop = await withAdmin(await openShop(engine))
  await shop.post('/contact', { name: 'Ravi', email: 'ravi@example.com', message: 'Do you deliver to Madurai?' })
  shop.clock.advance(MINUTE)
  await shop.post('/contact', { name: 'Lakshmi', email: 'lakshmi@example.com', message: 'The murukku was 100% crisp!' })
  const [lakshmi, ravi] = await listMessages(shop)
  return { shop, ravi: ravi?.id ?? '', lakshmi: lakshmi?.id ?? '' }
}

describe.each(ENGINES)('Contact messages in the admin on %s', engine => {
  test('are listed newest first and searched by text', async () => {
    const { shop } = await openShopWithMessages(engine)
    const names = async (query = '') => (await listMessages(shop, query)).map(({ name }) => name)
    expect(await names()).toEqual(['Lakshmi', 'Ravi'])
    expect(await names('?q=MADURAI')).toEqual(['Ravi'])
    expect(await names('?q=100%25+lakshmi')).toEqual(['Lakshmi'])
    expect(await names('?show=unread')).toHaveLength(2)
    expect(statusAndCode(await shop.callAsAdmin('GET /admin/messages?show=some'))).toBe('400 INVALID_INPUT')
  })

  test('keep the time when they were first marked as read or answered, and can be unmarked', async () => {
    const { shop, ravi } = await openShopWithMessages(engine)
    const mark = (body: object) => shop.callAsAdmin(`PATCH /admin/messages/${ravi}`, body)
    const first = (await mark({ read: true })).body as AdminMessage
    expect(first.readAt).not.toBeNull()
    expect(first.answeredAt).toBeNull()
    shop.clock.advance(MINUTE)
    expect((await mark({ read: true })).body).toEqual(first)
    expect((await mark({ answered: true })).body).toMatchObject({ readAt: first.readAt })
    expect(await listMessages(shop, '?show=unanswered')).toHaveLength(1)
    expect((await mark({ answered: false, read: false })).body).toMatchObject({ readAt: null, answeredAt: null })
    expect((await mark({ answered: true })).body).not.toMatchObject({ readAt: null })
    expect(statusAndCode(await mark({}))).toBe('200')
    expect(statusAndCode(await shop.callAsAdmin('PATCH /admin/messages/nothing', { read: true }))).toBe(
      '404 MESSAGE_NOT_FOUND'
    )
  })
})

describe.each(ENGINES)('Contact messages on %s', engine => {
  const storedNames = async ({ database: { kysely } }: Shop): Promise<string[]> => {
    const mails = await kysely.selectFrom('outbox').select('payload').where('id', 'like', 'contact-%').execute()
    const messages = await kysely.selectFrom('contact_messages').select('name').orderBy('name').execute()
    expect(mails).toHaveLength(messages.length)
    return messages.map(({ name }) => name)
  }
  const sendAs = (shop: Shop, name: string, email: string) =>
    shop.post('/contact', { name, email, message: 'Do you deliver to Madurai?' })
  const deleteAccount = (shop: Shop, token: string, proof: object) =>
    call(shop, 'DELETE /auth/me', { token, body: { proof } })

  test('are deleted with the account of a verified e-mail address, together with the mails to the shop', async () => {
    const shop = await openShop(engine)
    await sendAs(shop, 'Anita', 'Anita@Example.com')
    await sendAs(shop, 'Ravi', 'ravi@example.com')
    const { token } = await register(shop)
    expect(statusAndCode(await deleteAccount(shop, token, { password: ANITA.password }))).toBe('200')
    expect(await storedNames(shop)).toEqual(['Anita', 'Ravi'])
    const verified = await logInByCode(shop)
    shop.clock.advance(MINUTE)
    expect(statusAndCode(await deleteAccount(shop, verified.token, { otp: await requestCode(shop) }))).toBe('200')
    expect(await storedNames(shop)).toEqual(['Ravi'])
  })

  test('are deleted after 12 months', async () => {
    const shop = await openShop(engine)
    await sendAs(shop, 'Anita', ANITA.email)
    shop.clock.advance(364 * DAY)
    await sendAs(shop, 'Ravi', 'ravi@example.com')
    await deleteExpired(shop.app)
    expect(await storedNames(shop)).toEqual(['Anita', 'Ravi'])
    shop.clock.advance(2 * DAY)
    await deleteExpired(shop.app)
    expect(await storedNames(shop)).toEqual(['Ravi'])
  })
})
