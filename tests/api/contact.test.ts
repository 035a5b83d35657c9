import { describe, expect, test } from 'vitest'
import { api } from '#lib/api.ts'
import { MESSAGES } from '#lib/messages.ts'
import { MINUTE, SECOND } from '#lib/time.ts'
import type { ContactMessageRow } from '#server/db/tables.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, connectBrowser, type Reply, type Shop } from '../support/shop.ts'

const message = { name: 'Anita Kumar', email: 'anita@example.com', message: 'Do you send murukku to Chennai?' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const kept = ({ database }: Shop): Promise<ContactMessageRow[]> =>
  database.kysely.selectFrom('contact_messages').selectAll().orderBy('created_at').execute()
const promised = async ({ database }: Shop): Promise<number> =>
  (await database.kysely.selectFrom('outbox').select('id').execute()).length
const referenceOf = ({ body }: Reply): unknown => (body as { reference: unknown }).reference

describe.each(ENGINES)('a contact message on %s', engine => {
  test('is thanked for with a reference, kept, and mailed to the owner', async () => {
    const shop = await openShop(engine)
    const reply = await shop.post('/contact', message)
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: MESSAGES.contactSentText, reference: expect.stringMatching(/^PG-[2-9A-HJ-NP-TV-Z]{6}$/) }
    ])
    const { reference } = reply.body as { reference: string }
    expect(await kept(shop)).toEqual([expect.objectContaining({ ...message, reference })])
    await shop.deliverMails()
    expect(shop.mails).toEqual([
      expect.objectContaining({
        to: shop.app.shop.email,
        replyTo: { name: message.name, address: message.email },
        subject: expect.stringContaining(reference),
        text: expect.stringContaining(message.message)
      })
    ])
  })

  test('is sent by the typed client', async () => {
    connectBrowser(await openShop(engine))
    expect(await api('POST /contact', { body: message })).toMatchObject({ message: MESSAGES.contactSentText })
  })

  test('loses the spaces around what was typed, and fields that nobody asked for', async () => {
    const shop = await openShop(engine)
    await shop.post('/contact', { ...message, name: '  Anita Kumar ', message: 'Vanakkam\0 ', role: 'admin' })
    expect(await kept(shop)).toEqual([expect.objectContaining({ name: 'Anita Kumar', message: 'Vanakkam' })])
  })

  test('keeps every script as it was typed', async () => {
    const shop = await openShop(engine)
    const words = { ...message, name: 'அனிதா 🌸', message: "இனிப்பு <b>&amp;</b> '); drop table products; --" }
    await shop.post('/contact', words)
    expect(await kept(shop)).toEqual([expect.objectContaining(words)])
  })

  test('names every field that is missing or wrong, in words', async () => {
    const shop = await openShop(engine)
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
    expect(await shop.post('/contact', { ...message, email: 'anita@' })).toMatchObject({
      status: 400,
      body: { message: 'Please enter a valid email address', fields: { email: 'Please enter a valid email address' } }
    })
    expect(await shop.post('/contact', { ...message, message: 'x'.repeat(4001) })).toMatchObject({
      status: 400,
      body: { fields: { message: 'Please use at most 4000 characters' } }
    })
    expect(await kept(shop)).toEqual([])
  })

  test('is not kept when the mail about it can not be promised', async () => {
    const shop = await openShop(engine)
    await shop.database.kysely.schema.alterTable('outbox').renameTo('elsewhere').execute()
    expect((await shop.post('/contact', message)).status).toBe(500)
    expect(await kept(shop)).toEqual([])
  })

  test('sent again by a nervous thumb within ten minutes is the same message', async () => {
    const shop = await openShop(engine)
    const first = await shop.post('/contact', message)
    shop.clock.advance(9 * MINUTE)
    const again = await shop.post('/contact', { ...message, name: 'Anita Kumar  ' })
    expect(again.body).toEqual(first.body)
    expect(await kept(shop)).toHaveLength(1)
    expect(await promised(shop)).toBe(1)
  })

  test('sent again after ten minutes is another message', async () => {
    const shop = await openShop(engine)
    const first = await shop.post('/contact', message)
    shop.clock.advance(10 * MINUTE)
    expect(referenceOf(await shop.post('/contact', message))).not.toBe(referenceOf(first))
    expect(await kept(shop)).toHaveLength(2)
    expect(await promised(shop)).toBe(2)
  })

  test('sent several times at once is kept once', async () => {
    const shop = await openShop(engine)
    const replies = await Promise.all(Array.from({ length: 5 }, () => shop.post('/contact', message)))
    expect(new Set(replies.map(referenceOf)).size).toBe(1)
    expect(await kept(shop)).toHaveLength(1)
    expect(await promised(shop)).toBe(1)
  })

  test('with other words is another message', async () => {
    const shop = await openShop(engine)
    const first = await shop.post('/contact', message)
    const other = await shop.post('/contact', { ...message, message: 'And to Madurai?' })
    expect(referenceOf(other)).not.toBe(referenceOf(first))
    expect(await kept(shop)).toHaveLength(2)
  })

  test('of a program that fills in the hidden field is thanked for and forgotten', async () => {
    const shop = await openShop(engine)
    const reply = await shop.post('/contact', { ...message, website: 'https://spam.example' })
    expect([reply.status, reply.body]).toEqual([
      200,
      { message: MESSAGES.contactSentText, reference: expect.stringMatching(/^PG-/) }
    ])
    expect([await kept(shop), await promised(shop)]).toEqual([[], 0])
  })

  test('is refused after five within ten minutes from one address, and not from another', async () => {
    const shop = await openShop(engine)
    const send = (text: string, remoteAddress = '203.0.113.9'): Promise<Reply> =>
      shop.request({ method: 'POST', url: '/api/contact', payload: { ...message, message: text }, remoteAddress })
    for (const text of ['1', '2', '3', '4', '5']) expect((await send(text)).status).toBe(200)
    shop.clock.advance(4 * MINUTE)
    const refused = await send('6')
    expect([refused.status, refused.body, refused.headers['retry-after']]).toEqual([
      429,
      { message: MESSAGES.tooMany, code: 'TOO_MANY_REQUESTS' },
      '360'
    ])
    expect((await send('6', '203.0.113.10')).status).toBe(200)
    shop.clock.advance(6 * MINUTE - SECOND)
    expect((await send('7')).status).toBe(429)
    shop.clock.advance(SECOND)
    expect((await send('8')).status).toBe(200)
  })

  test('that is mistyped does not count', async () => {
    const shop = await openShop(engine)
    for (let slip = 0; slip < 6; slip++) await shop.post('/contact', { ...message, email: 'anita' })
    expect((await shop.post('/contact', message)).status).toBe(200)
  })
})

describe.each(ENGINES)('the contact form without JavaScript on %s', engine => {
  const form = (fields: Record<string, string>): string => new URLSearchParams(fields).toString()

  test('leads to the page that says thanks', async () => {
    const shop = await openShop(engine)
    const reply = await shop.post('/contact', form({ ...message, website: '' }), FORM)
    expect([reply.status, reply.headers['location']]).toEqual([303, '/contact/sent'])
    expect(await kept(shop)).toEqual([expect.objectContaining(message)])
  })

  test('leads to the pages of the site when the API lives elsewhere', async () => {
    const config = { siteUrl: 'https://shop.example', publicApiBase: 'https://api.shop.example/api' }
    const shop = await openShop(engine, { config })
    const reply = await shop.post('/contact', form(message), FORM)
    expect(reply.headers['location']).toBe('https://shop.example/contact/sent')
    const refusal = await shop.post('/contact', form({ ...message, message: '' }), FORM)
    expect(refusal.text).toContain('<a href="https://shop.example/contact">')
  })

  test('says what is wrong in a page, and that what was typed is still there', async () => {
    const shop = await openShop(engine)
    const reply = await shop.post('/contact', form({ ...message, email: 'anita@', message: '' }), FORM)
    expect([reply.status, reply.headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(reply.text).toContain('<li>Please enter a valid email address</li>\n<li>Please enter your message</li>')
    expect(reply.text).toContain(MESSAGES.contactGoBack)
    expect(reply.text).toContain(shop.app.shop.name)
    expect(reply.text).toContain('<a href="/contact">')
    expect(reply.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
  })

  test('says in a page that too many came', async () => {
    const shop = await openShop(engine)
    for (const text of ['1', '2', '3', '4', '5']) await shop.post('/contact', { ...message, message: text })
    const reply = await shop.post('/contact', form(message), FORM)
    expect([reply.status, reply.headers['retry-after']]).toEqual([429, '600'])
    expect(reply.text).toContain(`<li>${MESSAGES.tooMany}</li>`)
  })

  test('a repeated field is no field', async () => {
    const shop = await openShop(engine)
    expect((await shop.post('/contact', `${form(message)}&name=Other`, FORM)).status).toBe(400)
  })
})
