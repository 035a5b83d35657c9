import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { CODE_LENGTH } from '#lib/constants.ts'
import type { CodeSent } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import { codeResendText, MESSAGES } from '#lib/messages.ts'
import { CODE_LIFETIME, CODE_RESEND_DELAY, DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import type { OtpCodeRow, Trx } from '../platform/db/tables.ts'
import { enforceLimit, hourlyLimit, tooManyRequests } from '../platform/http/limits.ts'
import { renderPage, toHtml } from '../platform/mail/mail-body.ts'
import type { Mail } from '../platform/mail/mail.ts'
import { deleteOldMails, enqueueMail } from '../platform/mail/outbox.ts'
import { clearTries, consumeCode, countTry, deleteOldCodes, listCodes, lockAddress, voidCodes } from './code-queries.ts'
import type { AccountDeps } from './deps.ts'

/** Login codes are stored for a day, because the number of codes per e-mail address and day is limited. */
const CODE_RETENTION = DAY
const MAX_CODES_PER_EMAIL = { hour: 5, day: 10 } as const
/** The two latest codes are valid, because their mails may arrive in the wrong order. */
const MAX_VALID_CODES = 2

/** Does not reveal whether the account exists. Throws TOO_MANY_REQUESTS. */
export async function sendCode(deps: AccountDeps, email: string, ip: string): Promise<CodeSent> {
  const now = deps.clock()
  await deps.write(async trx => {
    await enforceLimit(trx, [hourlyLimit(ip, 'codes')], now)
    await lockAddress(trx, email, new Date(now).toISOString())
    const codes = await listCodes(trx, email)
    const limitError = sendLimitError(codes, now)
    if (limitError) throw limitError
    await issueCode(trx, deps, email, codes, now)
  })
  return { message: MESSAGES.codeSent, resendAfter: CODE_RESEND_DELAY / SECOND, expiresIn: CODE_LIFETIME / SECOND }
}

async function issueCode(
  trx: Trx,
  { codeSecret, shop, config }: AccountDeps,
  email: string,
  earlierCodes: readonly OtpCodeRow[],
  now: number
): Promise<void> {
  const at = new Date(now).toISOString()
  const id = randomUUID()
  const code = generateCode()
  // While an earlier code is valid, the count of tries is not reset. Otherwise each new code would allow more tries.
  if (!earlierCodes.some(earlier => isValidCode(earlier, at))) await clearTries(trx, email)
  const mac = codeMac(codeSecret, { email, id, code })
  const expiresAt = new Date(now + CODE_LIFETIME).toISOString()
  await trx.insertInto('otp_codes').values({ id, email, mac, created_at: at, expires_at: expiresAt }).execute()
  await enqueueMail(trx, codeMail({ id, to: email, code, shopName: shop.name, siteUrl: config.siteUrl }), at)
}

function sendLimitError(codes: readonly OtpCodeRow[], now: number): ShopError | undefined {
  const wait = (index: number, delay: number): number => Date.parse(codes[index]?.created_at ?? '') + delay - now
  const resendWait = wait(0, CODE_RESEND_DELAY)
  if (resendWait > 0) return tooManyRequests(resendWait, codeResendText)
  const longestWait = Math.max(
    wait(MAX_CODES_PER_EMAIL.hour - 1, HOUR) || 0,
    wait(MAX_CODES_PER_EMAIL.day - 1, DAY) || 0
  )
  return longestWait > 0 ? tooManyRequests(longestWait) : undefined
}

export function generateCode(): string {
  return String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
}

function codeMac(secret: Buffer, { email, id, code }: { email: string; id: string; code: string }): string {
  return createHmac('sha256', secret).update(`${email}|${id}|${code}`).digest('hex')
}

/** Returns the error. If it were thrown, the rollback would also undo the count of this try. `now` is ISO. */
export async function checkCode(
  trx: Trx,
  secret: Buffer,
  { email, otp }: { email: string; otp: string },
  now: string
): Promise<ShopError | undefined> {
  const triesLeft = await countTry(trx, email)
  if (triesLeft === undefined) return codeUsedUpError()
  const codes = (await listCodes(trx, email)).slice(0, MAX_VALID_CODES)
  const match = codes.find(({ id, mac }) => isEqual(mac, codeMac(secret, { email, id, code: otp })))
  if (match && isValidCode(match, now) && (await consumeCode(trx, match.id, now))) {
    await voidCodes(trx, email, now)
    await clearTries(trx, email)
    return undefined
  }
  if (triesLeft === 0) await voidCodes(trx, email, now)
  if (match && match.expires_at <= now) return new ShopError('OTP_EXPIRED')
  return match || triesLeft === 0 ? codeUsedUpError() : new ShopError('INVALID_OTP')
}

function codeUsedUpError(): ShopError {
  return new ShopError('INVALID_OTP', { message: MESSAGES.codeUsedUp })
}

function isValidCode({ voided_at, expires_at }: OtpCodeRow, now: string): boolean {
  return voided_at === null && expires_at > now
}

function isEqual(stored: string, computed: string): boolean {
  return stored.length === computed.length && timingSafeEqual(Buffer.from(stored), Buffer.from(computed))
}

export const CODE_MAIL_PREFIX = 'code-'

interface CodeMail {
  id: string
  to: string
  code: string
  shopName: string
  siteUrl: string
}

/** The subject begins with the code, so that notifications on phones show the code. */
export function codeMail({ id, to, code, shopName, siteUrl }: CodeMail): Mail {
  const title = `${code} is your code for ${shopName}`
  const largeCode = toHtml(title).replace(code, `<b style="font-size:32px;letter-spacing:4px">${code}</b>`)
  const lines = [
    `Enter it on ${new URL(siteUrl).host}. It expires in ${CODE_LIFETIME / MINUTE} minutes.`,
    'Never share this code. We will never ask you for it.',
    'Didn’t ask for it? Ignore this e-mail.'
  ]
  return {
    id: `${CODE_MAIL_PREFIX}${id}`,
    to,
    subject: title,
    text: [`${title}.`, ...lines, shopName].join('\n\n'),
    html: renderPage(title, [largeCode, ...[...lines, shopName].map(toHtml)].join('\n'))
  }
}

export async function deleteExpiredCodes(trx: Trx, now: number): Promise<void> {
  await deleteOldCodes(trx, new Date(now - CODE_RETENTION).toISOString())
  await deleteOldMails(trx, CODE_MAIL_PREFIX, new Date(now - CODE_LIFETIME).toISOString())
}
