import { expect } from 'vitest'
import type { InjectOptions } from 'fastify'
import type { Session, User } from '#lib/contract/accounts.ts'
import type { Staff } from '#lib/contract/names.ts'
import { DEVICE_HEADER, type Language } from '#lib/constants.ts'
import type { ErrorCode } from '#lib/errors.ts'
import type { EpochMs } from '#lib/time.ts'
import { createPasswords } from '#server/accounts/passwords.ts'
import { createFirstAdmin } from '#server/accounts/admins.ts'
import { hashToken, insertSession } from '#server/accounts/sessions.ts'
import { insertUser } from '#server/accounts/users.ts'
import type { Trx } from '#server/platform/db/tables.ts'
import type { Reply, Shop } from './shop.ts'

export const ANITA = {
  email: 'anita@example.com',
  password: 'kesari-47',
  displayName: 'Anita Kumar'
}
export const ADMIN = { email: 'meena@shop.example', password: 'payasam-12-bowls' }
const CLIENT_IP = '203.0.113.9'
export const OTHER_IP = '203.0.113.10'

export interface Call {
  body?: unknown
  token?: string | undefined
  ip?: string
  /** The token of a browser that has logged in before. */
  device?: string
  language?: Language
}

/** Inserts an account with a session, because registrations are limited. */
export async function insertAccount(
  trx: Trx,
  { id, name, token }: { id: string; name: string; token: string },
  staff: Staff | null,
  now: EpochMs
): Promise<void> {
  const at = new Date(now).toISOString()
  const draft = { id, email: `${name}@example.com`, name, staff, password_hash: null }
  await insertUser(trx, { ...draft, verified_at: at, created_at: at })
  await insertSession(trx, id, hashToken(token) ?? '', now)
}

/** `line` is the request line, for example `PUT /auth/profile`. */
export function call(
  shop: Shop,
  line: string,
  { body, token, ip = CLIENT_IP, device, language }: Call = {}
): Promise<Reply> {
  const [method = 'GET', path = ''] = line.split(' ')
  return shop.request({
    method: method as 'GET',
    url: `/api${path}`,
    remoteAddress: ip,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(language !== undefined && { 'accept-language': language }),
      ...(device !== undefined && { [DEVICE_HEADER]: device })
    },
    ...(body !== undefined && { payload: body as NonNullable<InjectOptions['payload']> })
  })
}

export function register(shop: Shop, draft: Partial<typeof ANITA> = {}): Promise<Session> {
  return call(shop, 'POST /auth/register', { body: { ...ANITA, ...draft } }).then(sessionOf)
}

export function logIn(
  shop: Shop,
  { email, password }: Partial<typeof ANITA> = ANITA,
  ip = CLIENT_IP
): Promise<Reply> {
  return call(shop, 'POST /auth/login', { body: { email, password }, ip })
}

export async function requestCode(shop: Shop, email = ANITA.email): Promise<string> {
  const reply = await call(shop, 'POST /auth/send-otp', { body: { email } })
  if (reply.status !== 200) throw new Error(reply.text)
  await shop.deliverMails()
  const mail = shop.mails.findLast(({ to, subject }) => to === email && /^\d{6} /.test(subject))
  return mail?.subject.slice(0, 6) ?? ''
}

export function verifyCode(
  shop: Shop,
  otp: string,
  email = ANITA.email,
  ip = CLIENT_IP
): Promise<Reply> {
  return call(shop, 'POST /auth/verify-otp', { body: { email, otp }, ip })
}

export async function logInByCode(shop: Shop, email = ANITA.email): Promise<Session> {
  return sessionOf(await verifyCode(shop, await requestCode(shop, email), email))
}

export function wrongCode(...codes: readonly string[]): string {
  const candidates = ['000000', '111111', '222222', '333333']
  return candidates.find(candidate => !codes.includes(candidate)) ?? ''
}

/** Adds to all attempts that count, so that a test of a high limit needs few requests. */
export async function addAttempts({ database }: Shop, number: number): Promise<void> {
  await database.kysely
    .updateTable('rate_counts')
    .set(row => ({ count: row('count', '+', number) }))
    .where('count', '>', 0)
    .execute()
}

export function deviceOf(reply: Reply): string {
  return sessionOf(reply).device ?? 'no token'
}

export async function isLoggedIn(shop: Shop, { token }: Pick<Session, 'token'>): Promise<boolean> {
  return (await call(shop, 'GET /auth/me', { token })).status === 200
}

export async function logInAsAdmin(shop: Shop): Promise<Session> {
  const { database, write, clock } = shop
  const passwords = createPasswords({ memoryCost: 64, timeCost: 1 })
  await createFirstAdmin(
    { database, write, clock, passwords },
    { adminEmail: ADMIN.email, adminPassword: ADMIN.password }
  )
  return sessionOf(await logIn(shop, ADMIN))
}

export function sessionOf(reply: Reply): Session {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
  return reply.body as Session
}

/** With the password of Anita if there is no other proof. */
export function deleteAccount(
  shop: Shop,
  { token }: Pick<Session, 'token'>,
  proof: object = { password: ANITA.password }
): Promise<Reply> {
  return call(shop, 'DELETE /auth/me', { token, body: { proof } })
}

export function userOf(reply: Reply): User {
  if (reply.status !== 200) throw new Error(`${reply.status} ${reply.text}`)
  return reply.body as User
}

/** Returns for example `400 INVALID_OTP` or `200`. */
export function statusAndCode({ status, body }: Reply): string {
  const code = (body as { code?: ErrorCode } | undefined)?.code
  return code === undefined ? String(status) : `${status} ${code}`
}

/** Expects for example `400 INVALID_OTP` or `200`. */
export async function expectOutcome(
  reply: Reply | Promise<Reply>,
  outcome: string,
  message?: string
): Promise<void> {
  expect(statusAndCode(await reply), message).toBe(outcome)
}

export async function expectOk(reply: Reply | Promise<Reply>): Promise<void> {
  await expectOutcome(reply, '200')
}

/** Expects a body that has at least these fields. */
export async function expectBody(reply: Reply | Promise<Reply>, fields: object): Promise<void> {
  expect((await reply).body).toMatchObject(fields)
}
