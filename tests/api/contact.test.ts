import { describe, expect, test } from 'vitest'
import { MESSAGES, tooManyRequestsText } from '#lib/messages.ts'
import { DAY, MINUTE } from '#lib/time.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import {
  addAttempts,
  call,
  expectOk,
  logInByCode,
  OTHER_IP,
  register
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'
import { FIELD_TEXTS } from '#lib/contract/formats.ts'

const message = {
  name: 'Anita Kumar',
  email: 'anita@example.com',
  message: 'Do you send murukku to Chennai?'
}
const SHOP_EMAIL = 'hello@palagaram.example'

const contact = (shop: Shop, fields: object = {}, options: { ip?: string; token?: string } = {}) =>
  call(shop, 'POST /contact', { body: { ...message, ...fields }, ...options })
const listMessages = ({ database }: Shop) =>
  database.kysely.selectFrom('contact_messages').selectAll().orderBy('created_at').execute()
async function listRecipients({ database }: Shop) {
  const rows = await database.kysely.selectFrom('outbox').select('payload').execute()
  return rows.map(({ payload }) => (JSON.parse(payload) as Mail).to).sort()
}
async function mailsTo(shop: Shop, address: string) {
  await shop.deliverMails()
  return shop.mails.filter(({ to }) => to === address)
}
const referenceOf = ({ body }: Reply) => (body as { reference: string }).reference

describe('POST /contact', () => {
  test('stores the message, mails the shop and returns a reference', async () => {
    const shop = await openShop()
    const text = "இனிப்பு 🌸 <b>&amp;</b> '); drop table products; --"
    const fields = { name: '  Anita Kumar ', phone: ' +91 90000 12345 ', message: text }
    const reply = await contact(shop, fields)
    const reference = referenceOf(reply)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        message: MESSAGES.contactSentText,
        reference: expect.stringMatching(/^PG-[2-9A-HJ-NP-TV-Z]{6}$/)
      }
    ])
    expect(await listMessages(shop)).toEqual([
      expect.objectContaining({
        ...message,
        message: text,
        phone: '+91 90000 12345',
        reference
      })
    ])
    const [mail, ...others] = await mailsTo(shop, SHOP_EMAIL)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      replyTo: { name: message.name, address: message.email },
      subject: expect.stringContaining(reference)
    })
    expect(mail?.text).toContain(text)
    expect(mail?.text).toMatch(
      new RegExp(`Phone: \\+91 90000[^]*/admin/messages\\?q=${reference}\n`)
    )
  })

  test('names each missing or invalid field', async () => {
    const shop = await openShop()
    for (const [fields, problems] of [
      [
        { name: ' ', email: '', message: undefined },
        {
          name: 'Please enter your name',
          email: 'Please enter your email',
          message: 'Please enter your message'
        }
      ],
      [{ phone: 'call me' }, { phone: FIELD_TEXTS.contactPhoneInvalid }],
      [{ email: 'anita@' }, { email: 'Please enter a valid email address' }],
      [{ message: 'x'.repeat(4001) }, { message: 'Please use at most 4000 characters' }]
    ] as const)
      expect(await contact(shop, fields)).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_INPUT',
          message: Object.values(problems)[0],
          fields: problems
        }
      })
    expect(await listMessages(shop)).toEqual([])
  })

  test('stores the same message once in ten minutes', async () => {
    const shop = await openShop()
    const first = referenceOf(await contact(shop))
    shop.clock.advance(10 * MINUTE - 1)
    expect(referenceOf(await contact(shop))).toBe(first)
    expect(referenceOf(await contact(shop, { message: 'And to Madurai?' }))).not.toBe(first)
    expect(await listMessages(shop)).toHaveLength(2)
    shop.clock.advance(1)
    expect(referenceOf(await contact(shop))).not.toBe(first)
    expect(await listMessages(shop)).toHaveLength(3)
  })

  test('confirms but does not store a message if the honeypot field is filled in', async () => {
    const shop = await openShop()
    expect(await contact(shop, { website: 'https://spam.example' })).toMatchObject({
      status: 200,
      body: { message: MESSAGES.contactSentText, reference: expect.stringMatching(/^PG-/) }
    })
    expect([await listMessages(shop), await listRecipients(shop)]).toEqual([[], []])
  })

  test('allows twenty valid messages per ten minutes from one IP', async () => {
    const shop = await openShop()
    await contact(shop, { email: 'anita' })
    await contact(shop)
    await addAttempts(shop, 18)
    await expectOk(contact(shop, { message: '20' }))
    shop.clock.advance(4 * MINUTE)
    expect(await contact(shop, { message: '21' })).toMatchObject({
      status: 429,
      body: {
        message: 'Too many requests. Please try again in 6 minutes.',
        code: 'TOO_MANY_REQUESTS'
      },
      headers: { 'retry-after': '360' }
    })
    await expectOk(contact(shop, { message: '21' }, { ip: OTHER_IP }))
  })
})

describe.each(ENGINES)('POST /contact on %s', engine => {
  test('stores nothing if the mail cannot be queued', async () => {
    const shop = await openShop(engine)
    await shop.database.kysely.schema.alterTable('outbox').renameTo('elsewhere').execute()
    expect((await contact(shop)).status).toBe(500)
    expect(await listMessages(shop)).toEqual([])
  })

  test('stores one message for parallel identical requests', async () => {
    const shop = await openShop(engine)
    const replies = await Promise.all(Array.from({ length: 5 }, () => contact(shop)))
    expect(new Set(replies.map(referenceOf)).size).toBe(1)
    expect(await listMessages(shop)).toHaveLength(1)
    expect(await listRecipients(shop)).toEqual([message.email, SHOP_EMAIL])
  })
})

describe('The mail to the visitor', () => {
  test('contains the reference, but nothing that was typed, because the address may be somebody else’s', async () => {
    const shop = await openShop()
    const reply = await contact(shop, { name: 'Win a prize', message: 'Visit spam.example now' })
    const [receipt, ...others] = await mailsTo(shop, message.email)
    expect(others).toEqual([])
    expect(receipt).toMatchObject({
      subject: `We received your message ${referenceOf(reply)}`,
      replyTo: { name: 'Palagaram', address: SHOP_EMAIL }
    })
    expect(JSON.stringify(receipt)).not.toMatch(/prize|spam/)
  })

  test('repeats the message only to the verified address of the session', async () => {
    const shop = await openShop()
    const { token: unverified } = await register(shop)
    await contact(shop, { email: 'anita@example.com' }, { token: unverified })
    const { token } = await logInByCode(shop)
    await contact(shop, { email: 'Anita@Example.com', name: 'Anita' }, { token })
    await contact(shop, { email: 'bala@example.com' }, { token })
    const repeated: boolean[] = []
    for (const email of ['anita@example.com', 'bala@example.com'])
      for (const { subject, text } of await mailsTo(shop, email))
        if (!/^\d/.test(subject)) repeated.push(text.includes(`> ${message.message}`))
    expect(repeated).toEqual([false, true, false])
  })

  test('is sent to one address three times a day, while all messages still reach the shop', async () => {
    const shop = await openShop()
    const count = async (address: string) =>
      (await listRecipients(shop)).filter(to => to === address).length
    for (const n of [1, 2, 3, 4])
      await contact(shop, { message: `Message ${n}` }, { ip: `203.0.113.${n}` })
    expect([await count(message.email), await count(SHOP_EMAIL)]).toEqual([3, 4])
    shop.clock.advance(DAY)
    await contact(shop)
    expect(await count(message.email)).toBe(4)
  })

  test('is sent from one network twenty times a day', async () => {
    const shop = await openShop()
    await contact(shop, { email: 'first@example.com' })
    await addAttempts(shop, 18)
    shop.clock.advance(10 * MINUTE)
    for (const name of ['second', 'third']) await contact(shop, { email: `${name}@example.com` })
    const visitors = ['first@example.com', 'second@example.com']
    expect(await listRecipients(shop)).toEqual([
      visitors[0],
      ...Array<string>(3).fill(SHOP_EMAIL),
      visitors[1]
    ])
  })
})

describe('Contact form without JavaScript', () => {
  const postForm = (shop: Shop, fields: object = {}, more = '') =>
    shop.post('/contact', new URLSearchParams({ ...message, ...fields }).toString() + more, {
      'content-type': 'application/x-www-form-urlencoded'
    })

  test('redirects and links to the configured site URL if the API has another origin', async () => {
    const shop = await openShop('sqlite', {
      config: { siteUrl: 'https://shop.example', publicApiBase: 'https://api.shop.example/api' }
    })
    const { headers } = await postForm(shop)
    expect(headers['location']).toBe('https://shop.example/contact/sent')
    const refusal = await postForm(shop, { message: '' })
    expect(refusal.text).toContain('<a href="https://shop.example/contact"')
  })

  test('shows the errors on a page that explains how to go back', async () => {
    const shop = await openShop()
    const reply = await postForm(shop, { email: 'anita@', message: '' })
    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    for (const html of [
      '>Please enter a valid email address</p>',
      '>Please enter your message</p>',
      'Go back in your browser. Your message is still there.',
      'Palagaram',
      '<a href="/contact"'
    ])
      expect(reply.text).toContain(html)
    expect(reply.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; base/
    )
    expect((await postForm(shop, {}, '&name=Other')).status, 'a field twice').toBe(400)
    await postForm(shop)
    await addAttempts(shop, 19)
    const refused = await postForm(shop)
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '600'])
    expect(refused.text).toContain(`>${tooManyRequestsText(600)}</p>`)
  })
})
