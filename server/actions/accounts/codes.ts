import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { CODE_LENGTH } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'
import type { OtpCodeRow, Trx } from '../../db/tables.ts'
import { clearTries, latestCodes, takeTry, useCode, voidCodes } from '../../queries/codes.ts'

export function makeCode(): string {
  return String(randomInt(10 ** CODE_LENGTH)).padStart(CODE_LENGTH, '0')
}

/** How a code is kept: of no use without the secret, for another address or in another row. */
export function macOf(secret: Buffer, { email, id, code }: { email: string; id: string; code: string }): string {
  return createHmac('sha256', secret).update(`${email}|${id}|${code}`).digest('hex')
}

/**
 * Compares what was typed with the two latest codes of an address, after one of the tries that these share was taken.
 * Answers why it is refused, to be thrown once the try is committed; undefined when it is right, and then used up.
 */
export async function checkCode(
  trx: Trx,
  secret: Buffer,
  { email, otp }: { email: string; otp: string },
  now: string
): Promise<ShopError | undefined> {
  const left = await takeTry(trx, email)
  if (left === undefined) return usedUp()
  const codes = await latestCodes(trx, email)
  const found = codes.find(({ id, mac }) => isSame(mac, macOf(secret, { email, id, code: otp })))
  if (found && isValidCode(found, now) && (await useCode(trx, found.id, now))) {
    await voidCodes(trx, email, now)
    await clearTries(trx, email)
    return undefined
  }
  if (left === 0) await voidCodes(trx, email, now)
  if (found && found.expires_at <= now) return new ShopError('OTP_EXPIRED')
  return found || left === 0 ? usedUp() : new ShopError('INVALID_OTP')
}

function usedUp(): ShopError {
  return new ShopError('INVALID_OTP', { message: MESSAGES.codeUsedUp })
}

export function isValidCode({ voided_at, expires_at }: OtpCodeRow, now: string): boolean {
  return voided_at === null && expires_at > now
}

function isSame(kept: string, made: string): boolean {
  return kept.length === made.length && timingSafeEqual(Buffer.from(kept), Buffer.from(made))
}
