import { randomUUID } from 'node:crypto'
import type { CodeSent } from '#lib/contract/accounts.ts'
import { CODES_PER_ADDRESS } from '#lib/constants.ts'
import type { ShopError } from '#lib/errors.ts'
import { codeResendIn, MESSAGES, tooManyFor } from '#lib/messages.ts'
import { CODE_LIFETIME, CODE_RESEND_DELAY, DAY, HOUR, SECOND } from '#lib/time.ts'
import type { OtpCodeRow, Trx } from '../../db/tables.ts'
import { codeMail } from '../../mails/code-mail.ts'
import { clearTries, lockAddress, insertCode, listCodes } from '../../queries/codes.ts'
import { enqueueMail } from '../../queries/outbox.ts'
import type { AccountDeps } from './deps.ts'
import { isValidCode, codeMac, generateCode } from './codes.ts'
import { hourlyLimit, enforceLimit, tooManyRequests } from './limits.ts'

/** Does not reveal whether the account exists. Throws ShopError TOO_MANY_REQUESTS. */
export async function sendCode(deps: AccountDeps, email: string, ip: string): Promise<CodeSent> {
  const now = deps.clock()
  await deps.write(async trx => {
    await enforceLimit(trx, [hourlyLimit(ip, 'codes')], now)
    await lockAddress(trx, email, new Date(now).toISOString())
    const sent = await listCodes(trx, email, new Date(now - DAY).toISOString())
    const refusal = sendLimitError(sent, now)
    if (refusal) throw refusal
    await issueCode(trx, deps, email, sent, now)
  })
  return { message: MESSAGES.codeSent, resendAfter: CODE_RESEND_DELAY / SECOND, expiresIn: CODE_LIFETIME / SECOND }
}

async function issueCode(
  trx: Trx,
  { codeSecret, shop, config }: AccountDeps,
  email: string,
  sent: readonly OtpCodeRow[],
  now: number
): Promise<void> {
  const at = new Date(now).toISOString()
  const id = randomUUID()
  const code = generateCode()
  // Valid codes share their tries, so that requesting a new code does not add tries.
  if (!sent.some(each => isValidCode(each, at))) await clearTries(trx, email)
  const mac = codeMac(codeSecret, { email, id, code })
  await insertCode(trx, { id, email, mac, created_at: at, expires_at: new Date(now + CODE_LIFETIME).toISOString() })
  await enqueueMail(trx, codeMail({ id, to: email, code, shopName: shop.name, siteUrl: config.siteUrl }), at)
}

/** `sent`: codes of the last 24 hours, newest first. */
function sendLimitError(sent: readonly OtpCodeRow[], now: number): ShopError | undefined {
  const wait = (index: number, delay: number): number => Date.parse(sent[index]?.created_at ?? '') + delay - now
  const resend = wait(0, CODE_RESEND_DELAY)
  if (resend > 0) return tooManyRequests(resend, codeResendIn)
  const longest = Math.max(wait(CODES_PER_ADDRESS.hour - 1, HOUR) || 0, wait(CODES_PER_ADDRESS.day - 1, DAY) || 0)
  return longest > 0 ? tooManyRequests(longest, tooManyFor) : undefined
}
