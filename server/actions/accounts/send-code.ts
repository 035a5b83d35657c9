import { randomUUID } from 'node:crypto'
import type { CodeSent } from '#lib/contract/accounts.ts'
import { CODES_PER_ADDRESS } from '#lib/constants.ts'
import type { ShopError } from '#lib/errors.ts'
import { codeResendIn, MESSAGES, tooManyFor } from '#lib/messages.ts'
import { CODE_LIFETIME, CODE_RESEND_DELAY, DAY, HOUR, SECOND } from '#lib/time.ts'
import type { OtpCodeRow, Trx } from '../../db/tables.ts'
import { codeMail } from '../../mails/code-mail.ts'
import { clearTries, lockAddress, insertCode, listCodes } from '../../queries/codes.ts'
import { promiseMail } from '../../queries/outbox.ts'
import type { AccountDeps } from './deps.ts'
import { isValidCode, macOf, makeCode } from './codes.ts'
import { hourlyLimit, enforceLimit, tooMany } from './limits.ts'

/**
 * Mails a code to an address, whether it has an account or not: nothing that is answered or done depends on that.
 * Throws ShopError TOO_MANY_REQUESTS.
 */
export async function sendCode(deps: AccountDeps, email: string, ip: string): Promise<CodeSent> {
  const now = deps.clock()
  await deps.write(async trx => {
    await enforceLimit(trx, [hourlyLimit(ip, 'codes')], now)
    await lockAddress(trx, email, new Date(now).toISOString())
    const sent = await listCodes(trx, email, new Date(now - DAY).toISOString())
    const refusal = tooSoon(sent, now)
    if (refusal) throw refusal
    await issue(trx, deps, email, sent, now)
  })
  return { message: MESSAGES.codeSent, resendAfter: CODE_RESEND_DELAY / SECOND, expiresIn: CODE_LIFETIME / SECOND }
}

async function issue(
  trx: Trx,
  { codeSecret, shop, config }: AccountDeps,
  email: string,
  sent: readonly OtpCodeRow[],
  now: number
): Promise<void> {
  const at = new Date(now).toISOString()
  const id = randomUUID()
  const code = makeCode()
  // A code that may still be tried shares its tries with the new one; else asking again would buy more of them.
  if (!sent.some(known => isValidCode(known, at))) await clearTries(trx, email)
  const mac = macOf(codeSecret, { email, id, code })
  await insertCode(trx, { id, email, mac, created_at: at, expires_at: new Date(now + CODE_LIFETIME).toISOString() })
  await promiseMail(trx, codeMail({ id, to: email, code, shopName: shop.name, siteUrl: config.siteUrl }), at)
}

/** `sent` are the codes of the last day, the latest first. */
function tooSoon(sent: readonly OtpCodeRow[], now: number): ShopError | undefined {
  const wait = (index: number, pause: number): number => Date.parse(sent[index]?.created_at ?? '') + pause - now
  const resend = wait(0, CODE_RESEND_DELAY)
  if (resend > 0) return tooMany(resend, codeResendIn)
  const longest = Math.max(wait(CODES_PER_ADDRESS.hour - 1, HOUR) || 0, wait(CODES_PER_ADDRESS.day - 1, DAY) || 0)
  return longest > 0 ? tooMany(longest, tooManyFor) : undefined
}
