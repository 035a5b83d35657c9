import { randomUUID } from 'node:crypto'
import type { CodeSent } from '#lib/contract/accounts.ts'
import { MAX_CODES_PER_EMAIL } from '#lib/constants.ts'
import type { ShopError } from '#lib/errors.ts'
import { codeResendText, MESSAGES, tooManyRequestsText } from '#lib/messages.ts'
import { CODE_LIFETIME, CODE_RESEND_DELAY, DAY, HOUR, SECOND } from '#lib/time.ts'
import type { OtpCodeRow, Trx } from '../platform/db/tables.ts'
import { codeMail } from './code-mail.ts'
import { clearTries, lockAddress, insertCode, listCodes } from './code-queries.ts'
import { enqueueMail } from '../platform/mail/outbox.ts'
import type { AccountDeps } from './deps.ts'
import { isValidCode, codeMac, generateCode } from './codes.ts'
import { hourlyLimit, enforceLimit, tooManyRequests } from './limits.ts'

/** Does not reveal whether the account exists. Throws TOO_MANY_REQUESTS. */
export async function sendCode(deps: AccountDeps, email: string, ip: string): Promise<CodeSent> {
  const now = deps.clock()
  await deps.write(async trx => {
    await enforceLimit(trx, [hourlyLimit(ip, 'codes')], now)
    await lockAddress(trx, email, new Date(now).toISOString())
    const recentCodes = await listCodes(trx, email, new Date(now - DAY).toISOString())
    const limitError = sendLimitError(recentCodes, now)
    if (limitError) throw limitError
    await issueCode(trx, deps, email, recentCodes, now)
  })
  return { message: MESSAGES.codeSent, resendAfter: CODE_RESEND_DELAY / SECOND, expiresIn: CODE_LIFETIME / SECOND }
}

async function issueCode(
  trx: Trx,
  { codeSecret, shop, config }: AccountDeps,
  email: string,
  recentCodes: readonly OtpCodeRow[],
  now: number
): Promise<void> {
  const at = new Date(now).toISOString()
  const id = randomUUID()
  const code = generateCode()
  // While an earlier code is valid, the count of tries is not reset. Otherwise each new code would allow more tries.
  if (!recentCodes.some(recent => isValidCode(recent, at))) await clearTries(trx, email)
  const mac = codeMac(codeSecret, { email, id, code })
  await insertCode(trx, { id, email, mac, created_at: at, expires_at: new Date(now + CODE_LIFETIME).toISOString() })
  await enqueueMail(trx, codeMail({ id, to: email, code, shopName: shop.name, siteUrl: config.siteUrl }), at)
}

function sendLimitError(recentCodes: readonly OtpCodeRow[], now: number): ShopError | undefined {
  const wait = (index: number, delay: number): number => Date.parse(recentCodes[index]?.created_at ?? '') + delay - now
  const resendWait = wait(0, CODE_RESEND_DELAY)
  if (resendWait > 0) return tooManyRequests(resendWait, codeResendText)
  const longestWait = Math.max(
    wait(MAX_CODES_PER_EMAIL.hour - 1, HOUR) || 0,
    wait(MAX_CODES_PER_EMAIL.day - 1, DAY) || 0
  )
  return longestWait > 0 ? tooManyRequests(longestWait, tooManyRequestsText) : undefined
}
