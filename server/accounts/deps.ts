import type { ShopDetails } from '#lib/contract/shop.ts'
import type { Database } from '../platform/db/connect.ts'
import type { Write } from '../platform/db/write.ts'
import type { Clock } from '../platform/process/clock.ts'
import type { Passwords } from './passwords.ts'

export interface AccountDeps {
  database: Database
  write: Write
  clock: Clock
  passwords: Passwords
  codeSecret: Buffer
  shop: Pick<ShopDetails, 'name'>
  config: { siteUrl: string }
}
