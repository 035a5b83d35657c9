import type { ShopDetails } from '#lib/contract/shop.ts'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../db/connect.ts'
import type { Write } from '../../db/write.ts'
import type { Passwords } from '../../gateways/passwords.ts'

export interface AccountDeps {
  database: Database
  write: Write
  clock: Clock
  passwords: Passwords
  codeSecret: Buffer
  shop: Pick<ShopDetails, 'name'>
  config: { siteUrl: string }
}
