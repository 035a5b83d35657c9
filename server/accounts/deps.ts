import type { Db, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import type { Passwords } from './passwords.ts'

export interface AccountDeps extends DataDeps {
  passwords: Passwords
  codeSecret: Buffer
  /** Deletes the cart and the unused discounts that this account has drawn. */
  deleteShoppingData(trx: Trx, userId: string): Promise<void>
  readShopName(db: Db): Promise<string>
  config: { siteUrl: string }
}
