import { describe, expect, test } from 'vitest'
import { api } from '#lib/api.ts'
import { MESSAGES, tooManyRequestsText } from '#lib/messages.ts'
import { DAY, MINUTE, SECOND } from '#lib/time.ts'
import type { ContactMessageRow } from '#server/platform/db/tables.ts'
import type { Mail } from '#server/platform/mail/mail.ts'
import { call, logInByCode, register } from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, connectBrowser, type Reply, type Shop } from '../support/shop.ts'
import { FIELD_TEXTS } from '#lib/contract/field-texts.ts'

const message = {
  name: 'Anita Kumar',
  email: 'anita@example.com',
  message: 'Do you send murukku to Chennai?'
}
const SHOP_EMAIL = 'hello@palagaram.example'
const FORM_HEADERS = { 'content-type': 'application/x-www-form-urlencoded' }

const listStoredMessages = ({ database }: Shop): Promise<ContactMessageRow[]> =>
  database.kysely.selectFrom('contact_messages').selectAll().orderBy('created_at').execute()
async function listRecipients({ database }: Shop): Promise<string[]> {
  const rows = await database.kysely.selectFrom('outbox').select('payload').execute()
  return rows.map(({ payload }) => (JSON.parse(payload) as Mail).to).sort()
}
const mailsTo = ({ mails }: Shop, address: string): Mail[] =>
  mails.filter(({ to }) => to === address)
const referenceOf = ({ body }: Reply): unknown => (body as { reference: unknown }).reference

describe('POST /contact', () => {
  test('stores the message, mails the shop and returns a reference', async () => {
    const shop = await openShop('sqlite')
    const reply = await shop.post('/contact', message)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        message: MESSAGES.contactSentText,
        reference: expect.stringMatching(/^PG-[2-9A-HJ-NP-TV-Z]{6}$/)
      }
    ])
    const { reference } = reply.body as { reference: string }
    expect(await listStoredMessages(shop)).toEqual([
      expect.objectContaining({ ...message, reference })
    ])
    await shop.deliverMails()
    expect(mailsTo(shop, SHOP_EMAIL)).toEqual([
      expect.objectContaining({
        replyTo: { name: message.name, address: message.email },
        subject: expect.stringContaining(reference),
        text: expect.stringMatching(new RegExp(`Chennai\\?[^]*/admin/messages\\?q=${reference}$`))
      })
    ])
  })

  test('can be called with the typed API client', async () => {
    connectBrowser(await openShop('sqlite'))
    expect(await api('POST /contact', { body: message })).toMatchObject({
      message: MESSAGES.contactSentText
    })
  })

  test('trims fields and ignores unknown ones', async () => {
    const shop = await openShop('sqlite')
    await shop.post('/contact', {
      ...message,
      name: '  Anita Kumar ',
      message: 'Vanakkam ',
      role: 'admin'
    })
    expect(await listStoredMessages(shop)).toEqual([
      expect.objectContaining({ name: 'Anita Kumar', message: 'Vanakkam' })
    ])
  })

  test('names each missing or invalid field', async () => {
    const shop = await openShop('sqlite')
    expect(await shop.post('/contact', { name: ' ', email: '' })).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_INPUT',
        message: 'Please enter your name',
        fields: {
          name: 'Please enter your name',
          email: 'Please enter your email',
          message: 'Please enter your message'
        }
      }
    })
    expect(await shop.post('/contact', { ...message, phone: 'call me' })).toMatchObject({
      status: 400,
      body: { fields: { phone: FIELD_TEXTS.contactPhoneInvalid } }
    })
    expect(await shop.post('/contact', { ...message, email: 'anita@' })).toMatchObject({
      status: 400,
      body: {
        message: 'Please enter a valid email address',
        fields: { email: 'Please enter a valid email address' }
      }
    })
    expect(await shop.post('/contact', { ...message, message: 'x'.repeat(4001) })).toMatchObject({
      status: 400,
      body: { fields: { message: 'Please use at most 4000 characters' } }
    })
    expect(await listStoredMessages(shop)).toEqual([])
  })

  test('returns the same reference if the same message is sent again within ten minutes', async () => {
    const shop = await openShop('sqlite')
    const first = await shop.post('/contact', message)
    shop.clock.advance(9 * MINUTE)
    const again = await shop.post('/contact', { ...message, name: 'Anita Kumar  ' })
    expect(again.body).toEqual(first.body)
    expect(await listStoredMessages(shop)).toHaveLength(1)
    expect(await listRecipients(shop)).toEqual([message.email, SHOP_EMAIL])
  })

  test('stores a message a second time if it is sent again after ten minutes', async () => {
    const shop = await openShop('sqlite')
    const first = await shop.post('/contact', message)
    shop.clock.advance(10 * MINUTE)
    expect(referenceOf(await shop.post('/contact', message))).not.toBe(referenceOf(first))
    expect(await listStoredMessages(shop)).toHaveLength(2)
    expect(await listRecipients(shop)).toEqual([
      message.email,
      message.email,
      SHOP_EMAIL,
      SHOP_EMAIL
    ])
  })

  test('stores a different text as a new message', async () => {
    const shop = await openShop('sqlite')
    const first = await shop.post('/contact', message)
    const other = await shop.post('/contact', { ...message, message: 'And to Madurai?' })
    expect(referenceOf(other)).not.toBe(referenceOf(first))
    expect(await listStoredMessages(shop)).toHaveLength(2)
  })

  test('confirms but does not store a message if the honeypot field is filled in', async () => {
    const shop = await openShop('sqlite')
    const reply = await shop.post('/contact', { ...message, website: 'https://spam.example' })
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: MESSAGES.contactSentText, reference: expect.stringMatching(/^PG-/) }
    ])
    expect([await listStoredMessages(shop), await listRecipients(shop)]).toEqual([[], []])
  })

  test('allows twenty messages per ten minutes from one IP', async () => {
    const shop = await openShop('sqlite')
    const send = (text: string, remoteAddress = '203.0.113.9'): Promise<Reply> =>
      shop.request({
        method: 'POST',
        url: '/api/contact',
        payload: { ...message, message: text },
        remoteAddress
      })
    for (let n = 1; n <= 20; n++) expect((await send(String(n))).status).toBe(200)
    shop.clock.advance(4 * MINUTE)
    const refused = await send('21')
    expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
      429,
      { message: tooManyRequestsText(360), code: 'TOO_MANY_REQUESTS' },
      '360'
    ])
    expect((await send('21', '203.0.113.10')).status).toBe(200)
    shop.clock.advance(6 * MINUTE - SECOND)
    expect((await send('22')).status).toBe(429)
    shop.clock.advance(SECOND)
    expect((await send('23')).status).toBe(200)
  })

  test('tells the shop the phone number if the visitor gave one', async () => {
    const shop = await openShop('sqlite')
    await shop.post('/contact', { ...message, phone: ' +91 90000 12345 ' })
    expect(await listStoredMessages(shop)).toEqual([
      expect.objectContaining({ phone: '+91 90000 12345' })
    ])
    await shop.deliverMails()
    expect(mailsTo(shop, SHOP_EMAIL)[0]?.text).toContain('Phone: +91 90000 12345')
  })

  test('does not count invalid messages towards the limit', async () => {
    const shop = await openShop('sqlite')
    for (let n = 0; n < 6; n++) await shop.post('/contact', { ...message, email: 'anita' })
    expect((await shop.post('/contact', message)).status).toBe(200)
  })
})

describe.each(ENGINES)('POST /contact on %s', engine => {
  test('stores HTML and text in any language unchanged', async () => {
    const shop = await openShop(engine)
    const fields = {
      ...message,
      name: 'அனிதா 🌸',
      message: "இனிப்பு <b>&amp;</b> '); drop table products; --"
    }
    await shop.post('/contact', fields)
    expect(await listStoredMessages(shop)).toEqual([expect.objectContaining(fields)])
  })

  test('stores nothing if the mail cannot be queued', async () => {
    const shop = await openShop(engine)
    await shop.database.kysely.schema.alterTable('outbox').renameTo('elsewhere').execute()
    expect((await shop.post('/contact', message)).status).toBe(500)
    expect(await listStoredMessages(shop)).toEqual([])
  })

  test('stores one message for parallel identical requests', async () => {
    const shop = await openShop(engine)
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => shop.post('/contact', message))
    )
    expect(new Set(replies.map(referenceOf)).size).toBe(1)
    expect(await listStoredMessages(shop)).toHaveLength(1)
    expect(await listRecipients(shop)).toEqual([message.email, SHOP_EMAIL])
  })
})

describe('The mail to the visitor', () => {
  const visitor = message.email
  const contact = (
    shop: Shop,
    fields: object = {},
    options: { ip?: string; token?: string } = {}
  ) => call(shop, 'POST /contact', { body: { ...message, ...fields }, ...options })

  test('contains the reference, but nothing that was typed, because the address may be somebody else’s', async () => {
    const shop = await openShop('sqlite')
    const reply = await contact(shop, {
      name: 'Win a prize',
      message: 'Visit https://spam.example now'
    })
    await shop.deliverMails()
    const [receipt, ...others] = mailsTo(shop, visitor)
    expect(others).toEqual([])
    expect(receipt).toMatchObject({
      subject: `We received your message ${String(referenceOf(reply))}`,
      replyTo: { name: 'Palagaram', address: SHOP_EMAIL }
    })
    expect(JSON.stringify(receipt)).not.toMatch(/prize|spam/)
  })

  test('repeats the message only to the verified address of the session', async () => {
    const shop = await openShop('sqlite')
    const { token } = await logInByCode(shop)
    await contact(shop, { email: 'Anita@Example.com' }, { token })
    await contact(shop, { email: 'bala@example.com' }, { token })
    await shop.deliverMails()
    expect(mailsTo(shop, 'Anita@Example.com')[0]?.text).toContain(`> ${message.message}`)
    expect(mailsTo(shop, 'bala@example.com')[0]?.text).not.toContain(message.message)
  })

  test('does not repeat the message to an account whose address is not verified', async () => {
    const shop = await openShop('sqlite')
    const { token } = await register(shop)
    await contact(shop, {}, { token })
    await shop.deliverMails()
    expect(mailsTo(shop, visitor).map(({ text }) => text.includes(message.message))).toEqual([
      false
    ])
  })

  test('is sent to one address three times a day, while all messages still reach the shop', async () => {
    const shop = await openShop('sqlite')
    for (const n of [1, 2, 3, 4])
      await contact(shop, { message: `Message ${n}` }, { ip: `203.0.113.${n}` })
    expect((await listRecipients(shop)).filter(to => to === visitor)).toHaveLength(3)
    expect((await listRecipients(shop)).filter(to => to === SHOP_EMAIL)).toHaveLength(4)
    shop.clock.advance(DAY)
    await contact(shop)
    expect((await listRecipients(shop)).filter(to => to === visitor)).toHaveLength(4)
  })

  test('is sent from one network twenty times a day', async () => {
    const shop = await openShop('sqlite')
    for (let n = 0; n < 25; n++) {
      if (n % 5 === 0) shop.clock.advance(10 * MINUTE)
      await contact(shop, { email: `visitor-${n}@example.com` })
    }
    const recipients = await listRecipients(shop)
    expect(recipients.filter(to => to.startsWith('visitor-'))).toHaveLength(20)
    expect(recipients.filter(to => to === SHOP_EMAIL)).toHaveLength(25)
  })
})

describe('Contact form without JavaScript', () => {
  const encodeForm = (fields: Record<string, string>): string =>
    new URLSearchParams(fields).toString()

  test('redirects to the confirmation page', async () => {
    const shop = await openShop('sqlite')
    const reply = await shop.post(
      '/contact',
      encodeForm({ ...message, phone: '', website: '' }),
      FORM_HEADERS
    )
    expect([reply.status, reply.headers['location']]).toEqual([303, '/contact/sent'])
    expect(await listStoredMessages(shop)).toEqual([expect.objectContaining(message)])
  })

  test('redirects and links to the configured site URL if the API has another origin', async () => {
    const config = {
      siteUrl: 'https://shop.example',
      publicApiBase: 'https://api.shop.example/api'
    }
    const shop = await openShop('sqlite', { config })
    const reply = await shop.post('/contact', encodeForm(message), FORM_HEADERS)
    expect(reply.headers['location']).toBe('https://shop.example/contact/sent')
    const refusal = await shop.post(
      '/contact',
      encodeForm({ ...message, message: '' }),
      FORM_HEADERS
    )
    expect(refusal.text).toContain('<a href="https://shop.example/contact">')
  })

  test('shows the errors on a page that explains how to go back', async () => {
    const shop = await openShop('sqlite')
    const reply = await shop.post(
      '/contact',
      encodeForm({ ...message, email: 'anita@', message: '' }),
      FORM_HEADERS
    )
    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(reply.text).toContain(
      '<li>Please enter a valid email address</li>\n<li>Please enter your message</li>'
    )
    expect(reply.text).toContain('Go back in your browser. Your message is still there.')
    expect(reply.text).toContain('Palagaram')
    expect(reply.text).toContain('<a href="/contact">')
    expect(reply.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-/
    )
  })

  test('shows the error on a page if the rate limit is reached', async () => {
    const shop = await openShop('sqlite')
    for (let n = 1; n <= 20; n++) await shop.post('/contact', { ...message, message: String(n) })
    const reply = await shop.post('/contact', encodeForm(message), FORM_HEADERS)
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '600'])
    expect(reply.text).toContain(`<li>${tooManyRequestsText(600)}</li>`)
  })

  test('refuses a form that contains a field twice', async () => {
    const shop = await openShop('sqlite')
    expect(
      (await shop.post('/contact', `${encodeForm(message)}&name=Other`, FORM_HEADERS)).status
    ).toBe(400)
  })
})
