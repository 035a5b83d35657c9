import type { IsoTime } from '#lib/time.ts'
import type { OtpCodeRow, Trx } from '../platform/db/tables.ts'

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

/** Returns false if the code was already used or voided. */
export async function consumeCode(trx: Trx, id: string, now: IsoTime): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('otp_codes')
    .set({ voided_at: now })
    .where('id', '=', id)
    .where('voided_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function voidCodes(trx: Trx, email: string, now: IsoTime): Promise<void> {
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

export async function deleteOldCodes(trx: Trx, cutoff: string): Promise<void> {
  await trx.deleteFrom('otp_codes').where('created_at', '<', cutoff).execute()
}
