import type { ShopDetails } from '#lib/contract/content.ts'
import type { Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import type { Passwords } from './passwords.ts'

export interface AccountDeps extends DataDeps {
  passwords: Passwords
  codeSecret: Buffer
  /** Deletes the cart and the unused discounts that this account has drawn. */
  deleteShoppingData(trx: Trx, userId: string): Promise<void>
  shop: Pick<ShopDetails, 'name'>
  config: { siteUrl: string }
}
