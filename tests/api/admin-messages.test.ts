import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { MyData } from '#lib/contract/accounts.ts'
import type { AdminMessage, MessageList } from '#lib/contract/content.ts'
import { DAY, MINUTE } from '#lib/time.ts'
import { deleteExpired } from '#server/jobs.ts'
import {
  ANITA,
  call,
  deleteAccount,
  expectBody,
  logInByCode,
  register,
  requestCode,
  statusAndCode
} from '../support/accounts.ts'
import { withAdmin, type AdminShop } from '../support/admin-products.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'
import { ADMIN_TEXTS } from '#lib/contract/admin-texts.ts'

async function listMessages(shop: AdminShop, query = '') {
  return ((await shop.callAsAdmin(`GET /admin/messages${query}`)).body as MessageList).messages
}

async function answerAll(shop: AdminShop) {
  for (const { id } of await listMessages(shop)) await answer(shop, id)
}

const answer = (
  shop: AdminShop,
  id: string,
  { text = 'Yes, on Fridays.', key = randomUUID() } = {}
): Promise<Reply> => shop.callAsAdmin(`POST /admin/messages/${id}/answers`, { text, key })

const sendAs = (shop: Shop, name: string, email: string, message = 'Do you deliver to Madurai?') =>
  shop.post('/contact', { name, email, message })

async function openShopWithMessages(engine: (typeof ENGINES)[number]) {
  const shop = await withAdmin(await openShop(engine))
  await sendAs(shop, 'Ravi', 'ravi@example.com')
  shop.clock.advance(MINUTE)
  await sendAs(shop, 'Lakshmi', 'lakshmi@example.com', 'The murukku was 100% crisp!')
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
  })

  test('keep the time when they were first marked as read or answered, and can be unmarked', async () => {
    const { shop, ravi } = await openShopWithMessages(engine)
    const mark = (body: object) => shop.callAsAdmin(`PATCH /admin/messages/${ravi}`, body)
    const first = (await mark({ read: true })).body as AdminMessage
    expect(first.readAt).not.toBeNull()
    expect(first.answeredAt).toBeNull()
    shop.clock.advance(MINUTE)
    expect((await mark({ read: true })).body).toEqual(first)
    await expectBody(mark({ answered: true }), { readAt: first.readAt })
    expect(await listMessages(shop, '?show=unanswered')).toHaveLength(1)
    await expectBody(mark({ answered: false, read: false }), {
      readAt: null,
      answeredAt: null
    })
    expect((await mark({ answered: true })).body).not.toMatchObject({ readAt: null })
    expect(await listMessages(shop, '?show=unread')).toHaveLength(1)
  })
})

test.for(ENGINES)(
  'Answers to contact messages are mailed once, kept with the message, and mark it as answered on %s',
  async engine => {
    const { shop, ravi } = await openShopWithMessages(engine)
    const key = randomUUID()
    const first = (await answer(shop, ravi, { key, text: 'Yes, on Fridays.' })).body as AdminMessage
    expect(first).toMatchObject({
      answeredAt: expect.any(String),
      answers: [{ key, text: 'Yes, on Fridays.', answeredBy: expect.any(String), mail: 'waiting' }]
    })
    expect((await answer(shop, ravi, { key, text: 'Yes, on Fridays.' })).body).toEqual(first)
    await shop.deliverMails()
    const mails = shop.mails.filter(
      ({ subject }) => subject === `Re: Your message ${first.reference} to Palagaram`
    )
    expect(mails).toEqual([
      expect.objectContaining({
        to: 'ravi@example.com',
        replyTo: { name: 'Palagaram', address: 'hello@palagaram.example' },
        text: expect.stringMatching(
          /^Vanakkam Ravi,\n\nYes, on Fridays\.[^]*\n> Do you deliver to Madurai\?\n\nPalagaram$/
        )
      })
    ])
    shop.clock.advance(MINUTE)
    await answer(shop, ravi, { text: 'And on Mondays.' })
    await expectBody(shop.callAsAdmin(`GET /admin/messages/${ravi}`), {
      answers: [
        { text: 'Yes, on Fridays.', mail: 'sent' },
        { text: 'And on Mondays.', mail: 'waiting' }
      ]
    })
    expect(await listMessages(shop, '?show=unanswered')).toHaveLength(1)
  }
)

describe('Answers to contact messages', () => {
  test('show that the mail could not be delivered', async () => {
    const shop = await withAdmin(
      await openShop('sqlite', { mail: { send: () => Promise.reject(new Error('refused')) } })
    )
    await sendAs(shop, 'Ravi', 'ravi@example.com')
    await answerAll(shop)
    await shop.deliverMails()
    shop.clock.advance(4 * DAY)
    await shop.deliverMails()
    expect((await listMessages(shop))[0]?.answers).toMatchObject([{ mail: 'failed' }])
  })

  test('need a text and an existing message', async () => {
    const { shop, ravi } = await openShopWithMessages('sqlite')
    await expectBody(answer(shop, ravi, { text: '  ' }), {
      fields: { text: ADMIN_TEXTS.answerRequired }
    })
    const replies = [
      await answer(shop, 'nothing'),
      await shop.callAsAdmin('GET /admin/messages/nothing'),
      await shop.callAsAdmin('PATCH /admin/messages/nothing', { read: true })
    ]
    expect(new Set(replies.map(statusAndCode))).toEqual(new Set(['404 MESSAGE_NOT_FOUND']))
    expect(await listMessages(shop, '?show=unanswered')).toHaveLength(2)
  })
})

describe.each(ENGINES)('Contact messages on %s', engine => {
  const storedNames = async ({ database: { kysely } }: Shop) => {
    const mails = await kysely
      .selectFrom('outbox')
      .selectAll()
      .where('id', 'like', 'contact-%')
      .execute()
    const messages = await kysely
      .selectFrom('contact_messages')
      .selectAll()
      .orderBy('name')
      .execute()
    const answers = await kysely.selectFrom('message_answers').select('key').execute()
    // A mail to the shop and a receipt for each message.
    expect(mails).toHaveLength(2 * messages.length + answers.length)
    return messages.map(({ name }) => name)
  }

  test('and their answers are data of the account with this verified address, and deleted with it', async () => {
    const shop = await openShop(engine)
    await sendAs(shop, 'Anita', 'Anita@Example.com')
    await sendAs(shop, 'Ravi', 'ravi@example.com')
    await deleteAccount(shop, await register(shop))
    expect(await storedNames(shop)).toEqual(['Anita', 'Ravi'])
    await answerAll(await withAdmin(shop))
    const { token } = await logInByCode(shop)
    const { messages } = (await call(shop, 'GET /auth/my-data', { token })).body as MyData
    // Without the administrator's name.
    const answers = [{ text: 'Yes, on Fridays.', createdAt: expect.any(String) }]
    expect(messages).toEqual([expect.objectContaining({ name: 'Anita', answers })])
    shop.clock.advance(MINUTE)
    await deleteAccount(shop, { token }, { otp: await requestCode(shop) })
    expect(await storedNames(shop)).toEqual(['Ravi'])
  })

  test('are deleted after 12 months', async () => {
    const shop = await openShop(engine)
    await sendAs(shop, 'Anita', ANITA.email)
    await answerAll(await withAdmin(shop))
    shop.clock.advance(364 * DAY)
    await sendAs(shop, 'Ravi', 'ravi@example.com')
    await deleteExpired(shop.app)
    expect(await storedNames(shop)).toEqual(['Anita', 'Ravi'])
    shop.clock.advance(2 * DAY)
    await deleteExpired(shop.app)
    expect(await storedNames(shop)).toEqual(['Ravi'])
  })
})
