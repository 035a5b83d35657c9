import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { CODE_LENGTH } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import type { OtpCodeRow, Trx } from '../platform/db/tables.ts'
import { clearTries, listLatestCodes, countTry, consumeCode, voidCodes } from './code-queries.ts'

export function generateCode(): string {
  return String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
}

export function codeMac(secret: Buffer, { email, id, code }: { email: string; id: string; code: string }): string {
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
  const codes = await listLatestCodes(trx, email)
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

export function isValidCode({ voided_at, expires_at }: OtpCodeRow, now: string): boolean {
  return voided_at === null && expires_at > now
}

function isEqual(stored: string, computed: string): boolean {
  return stored.length === computed.length && timingSafeEqual(Buffer.from(stored), Buffer.from(computed))
}
