import type { ShopDetails } from '#lib/contract/content.ts'
import type { DataDeps } from '../platform/db/write.ts'
import type { Passwords } from './passwords.ts'

export interface AccountDeps extends DataDeps {
  passwords: Passwords
  codeSecret: Buffer
  shop: Pick<ShopDetails, 'name'>
  config: { siteUrl: string }
}
