import { describe, expect, test } from 'vitest'
import type { Language } from '#lib/constants.ts'
import { language, t } from '#lib/contract/texts.ts'
import { STATUS_MAIL_DELAY } from '#lib/time.ts'
import { raiseCounter } from '#server/platform/db/counters.ts'
import { createWrite } from '#server/platform/db/write.ts'
import { inLanguage } from '#server/platform/language.ts'
import { expectOk } from '../support/accounts.ts'
import { openCheckedShop } from '../support/admin-orders.ts'
import {
  buy,
  CUSTOMER,
  LEMONS,
  openLemonShop,
  openPayment,
  placeOrder,
  subjectsOf
} from '../support/checkout.ts'
import { ENGINES, openTestDatabase, type Engine } from '../support/database.ts'
import { openShop } from '../support/shop.ts'

const ENGLISH = 'Not found.'
const TAMIL = 'கிடைக்கவில்லை.'

describe('Language of a request', () => {
  test.for([
    [undefined, ENGLISH],
    ['en-IN,en;q=0.9,ta;q=0.8', ENGLISH],
    ['ta-IN,ta;q=0.9,en;q=0.8', TAMIL],
    ['hi, en;q=0.2, TA;q=0.5', TAMIL],
    ['ta;q=0, *', ENGLISH],
    ['__proto__;q=x, , ta', TAMIL]
  ])('%s gets the message “%s”', async ([accepted, message]) => {
    const shop = await openShop()
    const headers = accepted === undefined ? {} : { 'accept-language': accepted }
    const reply = await shop.get('/nothing', headers)
    expect(reply.body).toEqual({ message, code: 'NOT_FOUND' })
    expect(reply.headers['content-language']).toBe(message === TAMIL ? 'ta' : 'en')
  })

  test('is known after its body was read, and when its body can’t be read', async () => {
    const { app } = await openShop()
    const url = new URL('/api/auth/verify-otp', await app.listen({ port: 0 }))
    const post = async (body: string): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', 'accept-language': 'ta' }
      return (await fetch(url, { method: 'POST', headers, body })).json()
    }
    expect(await post(JSON.stringify({ email: 'asha@shop.example', otp: '123456' }))).toEqual({
      message: 'இந்தக் குறியீடு தவறு. சரிபார்த்து மீண்டும் முயலுங்கள்.',
      code: 'INVALID_OTP'
    })
    expect(await post('{')).toMatchObject({
      message: 'அனுப்பியது சரியாக இல்லை. பக்கத்தை மீண்டும் திறந்து முயலுங்கள்.'
    })
  })
})

test.for(ENGINES)('Writes that share a transaction on %s keep their languages', async engine => {
  const { database } = await openTestDatabase(engine)
  const write = createWrite(database)
  const writeIn = (code: 'en' | 'ta') =>
    inLanguage(code, () =>
      write(async trx => {
        await raiseCounter(trx, 'written')
        return `${language()} ${t('Not found.')}`
      })
    )
  expect(await Promise.all((['en', 'ta', 'ta', 'en'] as const).map(writeIn))).toEqual([
    `en ${ENGLISH}`,
    `ta ${TAMIL}`,
    `ta ${TAMIL}`,
    `en ${ENGLISH}`
  ])
})

test.for([
  ['ta', 'ta', 'எலுமிச்சை ஊறுகாய்'],
  ['ta', 'en', 'lemon'],
  ['en', 'ta', 'lemon']
] as const)(
  'Items of an order in %s are named on a page in %s: %s',
  async ([language, page, name]) => {
    const { shop, anita } = await openLemonShop()
    await buy(shop, anita)
    const { kysely } = shop.database
    await kysely.updateTable('orders').set({ language }).execute()
    await kysely.updateTable('order_lines').set({ local_name: 'எலுமிச்சை ஊறுகாய்' }).execute()
    const headers = { authorization: `Bearer ${anita.token}`, 'accept-language': page }
    const { body } = await shop.get('/orders/my-orders', headers)
    expect(body).toMatchObject([{ language, items: [{ product: { name } }] }])
  }
)

test('An order in a language that the shop no longer has can be paid', async () => {
  const { shop, anita } = await openLemonShop()
  const { id } = await openPayment(shop, anita)
  const { kysely } = shop.database
  await kysely
    .updateTable('orders')
    .set({ language: 'xx' as Language })
    .execute()
  await placeOrder(shop, anita, await shop.sandbox.pay(id))
  const paid = await kysely.selectFrom('orders').select('payment_state').executeTakeFirstOrThrow()
  expect(paid.payment_state).toBe('paid')
  expect((await subjectsOf(shop, CUSTOMER.email)).join()).toContain('Your order')
})

/** Both use the shop in Tamil. */
async function openTamilShop(engine: Engine) {
  const shop = await openCheckedShop(engine)
  const names = { lemon: 'எலுமிச்சை ஊறுகாய்', laddu: 'பூந்தி லட்டு' }
  for (const [id, name_tamil] of Object.entries(names))
    await shop.write(trx =>
      trx.updateTable('products').set({ name_tamil }).where('id', '=', id).execute()
    )
  await expectOk(shop.callAsAdmin('PUT /auth/profile', { name: 'மீனா', language: 'ta' }))
  return { shop, names, anita: { ...shop.anita, language: 'ta' as const } }
}

describe.for(ENGINES)('Order on a Tamil page on %s', engine => {
  test('is answered by mails in Tamil, while staff work in English', async () => {
    const { shop, names, anita } = await openTamilShop(engine)
    const { _id } = await buy(shop, anita, LEMONS)
    await expectOk(shop.changeStatus(_id, 'pending', 'packed'))
    shop.clock.advance(STATUS_MAIL_DELAY)
    await shop.deliverMails()
    const [placed, ...later] = shop.mails.filter(({ to }) => to === CUSTOMER.email)
    expect(placed).toMatchObject({
      language: 'ta',
      subject: expect.stringContaining('உங்கள் ஆர்டர்'),
      html: expect.stringContaining('<html lang="ta-IN">')
    })
    for (const part of [names.lemon, 'விலைப்பட்டியல்', '/ta/orders'])
      expect(placed?.text).toContain(part)
    expect(later.map(({ subject }) => subject)).toEqual([expect.stringContaining('பேக் ஆனது')])
  })
})
