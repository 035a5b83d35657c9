import type { OtpCodeRow, Trx } from '../platform/db/tables.ts'

/** Wrong codes allowed per email address. A new code does not reset the count while an earlier code is still valid. */
const MAX_ATTEMPTS = 5

/** `now` is ISO. */
export async function lockAddress(trx: Trx, email: string, now: string): Promise<void> {
  await trx
    .insertInto('otp_tries')
    .values({ email, attempts: 0, sent_at: now })
    .onConflict(conflict => conflict.column('email').doUpdateSet({ sent_at: now }))
    .execute()
}

/** Returns the newest code first. */
export function listCodes(trx: Trx, email: string): Promise<OtpCodeRow[]> {
  return trx
    .selectFrom('otp_codes')
    .selectAll()
    .where('email', '=', email)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

export async function clearTries(trx: Trx, email: string): Promise<void> {
  await trx.updateTable('otp_tries').set({ attempts: 0 }).where('email', '=', email).execute()
}

/**
 * Counts an attempt to enter a code. Returns how many attempts remain, or undefined if the maximum was already reached.
 */
export async function countTry(trx: Trx, email: string): Promise<number | undefined> {
  const counted = await trx
    .updateTable('otp_tries')
    .set(row => ({ attempts: row('attempts', '+', 1) }))
    .where('email', '=', email)
    .where('attempts', '<', MAX_ATTEMPTS)
    .returning('attempts')
    .executeTakeFirst()
  return counted && MAX_ATTEMPTS - counted.attempts
}

/** Returns false if the code was already used or voided. `now` is ISO. */
export async function consumeCode(trx: Trx, id: string, now: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('otp_codes')
    .set({ voided_at: now })
    .where('id', '=', id)
    .where('voided_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** `now` is ISO. */
export async function voidCodes(trx: Trx, email: string, now: string): Promise<void> {
  await trx
    .updateTable('otp_codes')
    .set({ voided_at: now })
    .where('email', '=', email)
    .where('voided_at', 'is', null)
    .execute()
}

export async function deleteCodesOf(trx: Trx, email: string): Promise<void> {
  await trx.deleteFrom('otp_codes').where('email', '=', email).execute()
  await trx.deleteFrom('otp_tries').where('email', '=', email).execute()
}

export async function deleteOldCodes(trx: Trx, cutoff: string): Promise<void> {
  await trx.deleteFrom('otp_codes').where('created_at', '<', cutoff).execute()
  await trx.deleteFrom('otp_tries').where('sent_at', '<', cutoff).execute()
}
