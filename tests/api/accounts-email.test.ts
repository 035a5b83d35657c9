import { describe, expect, test } from 'vitest'
import type { MyData, Session } from '#lib/contract/accounts.ts'
import { MINUTE } from '#lib/time.ts'
import {
  ADMIN,
  ANITA,
  call,
  deleteAccount,
  expectBody,
  expectOk,
  expectOutcome,
  isLoggedIn,
  logIn,
  logInAsAdmin,
  logInByCode,
  register,
  requestCode,
  sessionOf,
  statusAndCode,
  verifyCode,
  wrongCode
} from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'

const NEW_EMAIL = 'anita@kumar.example'
const PASSWORD = { password: ANITA.password }
const requestChange = (
  shop: Shop,
  { token }: Session,
  email = NEW_EMAIL,
  proof: object = PASSWORD
): Promise<Reply> => call(shop, 'POST /auth/email-code', { token, body: { email, proof } })
const changeEmail = (
  shop: Shop,
  { token }: Session,
  otp: string,
  email = NEW_EMAIL
): Promise<Reply> => call(shop, 'PUT /auth/email', { token, body: { email, otp } })

async function sendChangeCode(shop: Shop, session: Session, email = NEW_EMAIL, proof?: object) {
  const reply = await requestChange(shop, session, email, proof)
  if (reply.status !== 200) throw new Error(reply.text)
  return mailedCode(shop, email)
}

async function mailedCode(shop: Shop, email: string) {
  await shop.deliverMails()
  const mail = shop.mails.findLast(({ to, subject }) => to === email && /^\d{6}/.test(subject))
  return mail?.subject.slice(0, 6) ?? 'no code'
}

async function listMessageEmails({ database }: Shop) {
  const rows = await database.kysely.selectFrom('contact_messages').select('email').execute()
  return rows.map(({ email }) => email)
}

describe.each(ENGINES)('Change of the email address on %s', engine => {
  test('needs the password and a code to the new address, ends all other sessions and tells the old address', async () => {
    const shop = await openShop(engine)
    const [session, other] = [await register(shop), sessionOf(await logIn(shop))]
    const changed = sessionOf(await changeEmail(shop, session, await sendChangeCode(shop, session)))
    expect(changed.user).toEqual({ ...session.user, email: NEW_EMAIL, verified: true })
    const sessions = [session, other, changed].map(each => isLoggedIn(shop, each))
    expect(await Promise.all(sessions)).toEqual([false, false, true])
    await expectOutcome(logIn(shop), '400 INVALID_CREDENTIALS')
    await expectOk(logIn(shop, { ...ANITA, email: NEW_EMAIL }))
    await shop.deliverMails()
    const [notice, ...others] = shop.mails.filter(({ to }) => to === ANITA.email)
    expect(others).toEqual([])
    expect(notice?.subject).toMatch(/account has a new email address$/)
    expect(notice?.text).toContain('Was this not you?')
    expect(JSON.stringify(notice)).not.toContain(NEW_EMAIL)
  })

  test('reveals only to the owner of the new address that it has an account', async () => {
    const shop = await openShop(engine)
    const session = await register(shop)
    await register(shop, { email: NEW_EMAIL })
    const taken = await requestChange(shop, session)
    expect((await requestChange(shop, session, 'free@kumar.example')).body).toEqual(taken.body)
    expect((await changeEmail(shop, session, await mailedCode(shop, NEW_EMAIL))).body).toEqual({
      code: 'EMAIL_TAKEN',
      message:
        'This address already has an account. Please use another one, or log in to that account.'
    })
    expect(await isLoggedIn(shop, session)).toBe(true)
    await expectBody(requestChange(shop, session, ` ${ANITA.email.toUpperCase()} `), {
      fields: { email: 'This is already your email address' }
    })
  })
})

describe('Change of the email address', () => {
  test('sends nothing to the new address before the user is verified', async () => {
    const shop = await openShop()
    const session = await register(shop)
    const replies = [
      await requestChange(shop, session, NEW_EMAIL, { password: 'guessed' }),
      await requestChange(shop, session, NEW_EMAIL, { otp: wrongCode(await requestCode(shop)) }),
      await call(shop, 'POST /auth/email-code', { body: { email: NEW_EMAIL, proof: PASSWORD } })
    ]
    expect(replies.map(statusAndCode)).toEqual([
      '400 INVALID_CREDENTIALS',
      '400 INVALID_OTP',
      '401 UNAUTHORIZED'
    ])
    await shop.deliverMails()
    expect(shop.mails.filter(({ to }) => to === NEW_EMAIL)).toEqual([])
  })

  test('keeps the contact messages of a verified address with the account, until it is deleted', async () => {
    const shop = await openShop()
    const message = { name: 'Anita', message: 'Do you deliver to Madurai?' }
    for (const email of ['Anita@Example.com', 'bala@example.com'])
      await shop.post('/contact', { ...message, email })
    let session = await logInByCode(shop)
    const proofOf = async ({ user }: Session): Promise<object> => {
      shop.clock.advance(MINUTE)
      return { otp: await requestCode(shop, user.email) }
    }
    for (const email of [NEW_EMAIL, 'newer@kumar.example']) {
      const code = await sendChangeCode(shop, session, email, await proofOf(session))
      session = sessionOf(await changeEmail(shop, session, code, email))
    }
    const { token } = session
    const { messages } = (await call(shop, 'GET /auth/my-data', { token })).body as MyData
    expect(messages).toMatchObject([{ message: message.message }])
    await deleteAccount(shop, session, await proofOf(session))
    expect(await listMessageEmails(shop)).toEqual(['bala@example.com'])
  })

  test('takes over no contact messages of an address that was never verified', async () => {
    const shop = await openShop()
    await shop.post('/contact', { name: 'Anita', email: ANITA.email, message: 'Vanakkam' })
    const session = await register(shop)
    await changeEmail(shop, session, await sendChangeCode(shop, session))
    expect(await listMessageEmails(shop)).toEqual([ANITA.email])
  })

  test('accepts no code that was sent for a login, for another account or for another address', async () => {
    const shop = await openShop()
    const [anita, bala] = [
      await register(shop),
      await register(shop, { email: 'bala@example.com' })
    ]
    const loginCode = await requestCode(shop, NEW_EMAIL)
    const code = await sendChangeCode(shop, anita)
    const replies = [
      await changeEmail(shop, bala, code),
      await changeEmail(shop, anita, code, 'other@kumar.example')
    ]
    if (loginCode !== code)
      replies.push(
        await changeEmail(shop, anita, loginCode),
        await verifyCode(shop, code, NEW_EMAIL)
      )
    expect(new Set(replies.map(statusAndCode))).toEqual(new Set(['400 INVALID_OTP']))
    await expectOk(changeEmail(shop, anita, code))
  })

  test('is in the audit log, with an administrator’s name but not with a customer’s', async () => {
    const shop = await openShop('sqlite', { config: { smtpUrl: 'smtp://mail.example' } })
    const [admin, customer] = [await logInAsAdmin(shop), await register(shop)]
    const home = 'meena@home.example'
    const code = await sendChangeCode(shop, admin, home, { password: ADMIN.password })
    const { token } = sessionOf(await changeEmail(shop, admin, code, home))
    await changeEmail(shop, customer, await sendChangeCode(shop, customer))
    const { body, text } = await call(shop, 'GET /admin/audit?kind=user', { token })
    const entry = { action: 'changed e-mail', before: null, after: null }
    const entries = [
      { ...entry, actor: { id: admin.user._id, name: 'Administrator' } },
      { ...entry, actor: { id: customer.user._id, name: 'The customer' } }
    ]
    expect(body).toEqual(expect.arrayContaining(entries.map(each => expect.objectContaining(each))))
    expect(text).not.toMatch(/example|Anita/)
  })
})
