import type { FastifyBaseLogger } from 'fastify'
import type { ShopDetails } from '#lib/contract/shop.ts'
import type { Clock } from '../platform/process/clock.ts'
import type { Database } from '../platform/db/connect.ts'
import type { Write } from '../platform/db/write.ts'
import type { PaymentGateway } from '../razorpay/payments.ts'
import type { PaymentSettings } from '../razorpay/payment-settings.ts'

export interface Payments {
  settings: PaymentSettings
  gateway: PaymentGateway
}

export interface CheckoutDeps {
  database: Database
  write: Write
  clock: Clock
  payments: Payments
  shop: Pick<ShopDetails, 'name' | 'email' | 'phone'>
  config: { siteUrl: string }
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
}
