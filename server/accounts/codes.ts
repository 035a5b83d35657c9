import { createHmac, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { CODE_LENGTH } from '#lib/constants.ts'
import type { CodeLogin, CodeSent } from '#lib/contract/accounts.ts'
import { t } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { codeResendText } from '#lib/messages.ts'
import {
  CODE_LIFETIME,
  CODE_RESEND_DELAY,
  DAY,
  type EpochMs,
  type IsoTime,
  MINUTE,
  SECOND,
  toIso
} from '#lib/time.ts'
import type { OtpCodeRow, Trx } from '../platform/db/tables.ts'
import { hasWritten } from '../platform/db/write.ts'
import {
  clearCounts,
  countAttempts,
  enforceLimit,
  tooManyRequests,
  undoCounts
} from '../platform/http/limits.ts'
import { composeMail, type Mail } from '../platform/mail/mail.ts'
import { deleteOldMails, enqueueMail } from '../platform/mail/outbox.ts'
import {
  type Client,
  codeLimits,
  codeTryLimits,
  findSource,
  type Source
} from './attempt-limits.ts'
import type { AccountDeps } from './users.ts'

/** Long enough to tell an expired code from a wrong one. */
const CODE_RETENTION = DAY
/** The two latest codes are valid, because their mails may arrive in the wrong order. */
const MAX_VALID_CODES = 2

/** Does not reveal whether the account exists. */
export async function sendCode(
  deps: AccountDeps,
  email: string,
  client: Client
): Promise<CodeSent> {
  const now = deps.clock()
  const source = await findSource(deps, client, email)
  const sent = await deps.sendsMail()
  return deps.write(trx => issueCode(trx, deps, { to: email, subject: email, source, sent }, now), {
    shows: 'nothing'
  })
}

export async function issueCode(
  trx: Trx,
  { codeSecret, readShopName, config }: AccountDeps,
  /** `subject` is the address for a login, otherwise a text that names the action. */
  { to, subject, source, sent }: { to: string; subject: string; source: Source; sent: boolean },
  now: EpochMs
): Promise<CodeSent> {
  // These counts also lock the address until the commit, so that parallel requests send one code.
  await enforceLimit(trx, codeLimits(to, source), now)
  const [latest] = await listCodes(trx, subject)
  const wait = latest ? Date.parse(latest.created_at) + CODE_RESEND_DELAY - now : 0
  if (wait > 0) throw tooManyRequests(wait, codeResendText)
  await clearCounts(trx, codeTryLimits(subject, source).own)
  const at = toIso(now)
  const id = randomUUID()
  const code = String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
  const mac = codeMac(codeSecret, subject, id, code)
  const expiresAt = toIso(now + CODE_LIFETIME)
  await trx
    .insertInto('otp_codes')
    .values({ id, email: subject, mac, created_at: at, expires_at: expiresAt })
    .execute()
  const shopName = await readShopName(trx)
  await enqueueMail(trx, codeMail({ id, to, code, shopName, siteUrl: config.siteUrl }), at)
  return {
    message: t(
      sent
        ? 'Check your email. The code may take a minute to arrive.'
        : 'This shop can’t send emails yet, so no code was sent.'
    ),
    sent,
    resendAfter: CODE_RESEND_DELAY / SECOND,
    expiresIn: CODE_LIFETIME / SECOND
  }
}

function codeMac(secret: Buffer, email: string, id: string, code: string) {
  return createHmac('sha256', secret).update(`${email}|${id}|${code}`).digest('hex')
}

/** `email` is the `subject` of the code. */
type CodeAttempt = CodeLogin & { source: Source }

/** The action shares the transaction. */
export async function withCode<Result>(
  { write, clock, codeSecret }: AccountDeps,
  attempt: CodeAttempt,
  action: (trx: Trx, now: EpochMs) => Promise<Result>
): Promise<Result> {
  const now = clock()
  const outcome = await write(async (trx): Promise<{ error: ShopError } | { result: Result }> => {
    const error = await checkCode(trx, codeSecret, attempt, now)
    return error ? { error } : { result: await action(trx, now) }
  })
  // The error is thrown after the commit, because a rollback would also undo the count of this try.
  if ('error' in outcome) throw outcome.error
  return outcome.result
}

async function checkCode(
  trx: Trx,
  secret: Buffer,
  { email, otp, source }: CodeAttempt,
  now: EpochMs
): Promise<ShopError | undefined> {
  const at = toIso(now)
  const { own, shared, network } = codeTryLimits(email, source)
  // Refused tries do not count for `shared`: one network must not use up the tries of all.
  if (!(await countAttempts(trx, own, now))) return codeUsedUpError()
  await enforceLimit(trx, [...shared, ...network], now)
  const codes = (await listCodes(trx, email)).slice(0, MAX_VALID_CODES)
  const match = codes.find(({ id, mac }) =>
    timingSafeEqual(Buffer.from(mac), Buffer.from(codeMac(secret, email, id, otp)))
  )
  if (match && isValidCode(match, at) && (await consumeCode(trx, match.id, at))) {
    await voidCodes(trx, email, at)
    await clearCounts(trx, own)
    await undoCounts(trx, [...shared, ...network], now)
    return undefined
  }
  // Without a valid code there is nothing to guess, and strangers must not use up the tries.
  if (!codes.some(code => isValidCode(code, at))) await undoCounts(trx, [...own, ...shared], now)
  if (match && match.expires_at <= at) return new ShopError('OTP_EXPIRED')
  return match ? codeUsedUpError() : new ShopError('INVALID_OTP')
}

function codeUsedUpError(): ShopError {
  return new ShopError('INVALID_OTP', {
    message: t('This code is no longer valid. Please request a new one.')
  })
}

function isValidCode({ voided_at, expires_at }: OtpCodeRow, now: string) {
  return voided_at === null && expires_at > now
}

export const CODE_MAIL_PREFIX = 'code-'

/** The subject begins with the code, so that notifications on phones show the code. */
export function codeMail({
  id,
  to,
  code,
  shopName,
  siteUrl
}: Record<'id' | 'to' | 'code' | 'shopName' | 'siteUrl', string>): Mail {
  const title = t('{code} is your code for {shop}', { code, shop: shopName })
  const blocks = [
    { text: `${title}.`, code },
    t('Enter it on {website}. It expires in {minutes} minutes.', {
      website: new URL(siteUrl).host,
      minutes: CODE_LIFETIME / MINUTE
    }),
    t('Never share this code. We will never ask you for it.'),
    t('Didn’t ask for it? Ignore this email.')
  ]
  return composeMail({ name: shopName }, { id: CODE_MAIL_PREFIX + id, to, subject: title, blocks })
}

export async function deleteExpiredCodes(trx: Trx, now: EpochMs): Promise<void> {
  const cutoff = toIso(now - CODE_RETENTION)
  await trx.deleteFrom('otp_codes').where('created_at', '<', cutoff).execute()
  await deleteOldMails(trx, CODE_MAIL_PREFIX, toIso(now - CODE_LIFETIME))
}

function listCodes(trx: Trx, email: string): Promise<OtpCodeRow[]> {
  return trx
    .selectFrom('otp_codes')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

async function consumeCode(trx: Trx, id: string, now: IsoTime) {
  return hasWritten(
    trx
      .updateTable('otp_codes')
      .set({ voided_at: now })
      .where('id', '=', id)
      .where('voided_at', 'is', null)
  )
}

async function voidCodes(trx: Trx, email: string, now: IsoTime) {
  await trx
    .updateTable('otp_codes')
    .set({ voided_at: now })
    .where('email', '=', email)
    .where('voided_at', 'is', null)
    .execute()
}

export async function deleteCodesOf(trx: Trx, email: string): Promise<void> {
  await trx.deleteFrom('otp_codes').where('email', '=', email).execute()
}
