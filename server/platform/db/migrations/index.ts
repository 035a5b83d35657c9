import type { Migration } from 'kysely'
import { accounts, draws, storefront } from './001-to-003.ts'
import { orders } from './004-orders.ts'
import {
  admin,
  blog,
  codeTries,
  orderedProducts,
  plainNames,
  publishes,
  shopperCancellations,
  unpaidOrders
} from './005-to-012.ts'
import { protection } from './013-protection.ts'
import { settings } from './014-settings-and-staff.ts'
import {
  coupons,
  deletedCheckouts,
  familiesAndCollections,
  reductions,
  stockAlerts,
  tax
} from './015-taxes-and-offers.ts'
import { delivery } from './021-delivery.ts'
import { largeTables, missedSearches, nodes, orderChanges, packing } from './022-to-026.ts'
import { textsAndPercents } from './027-texts-and-percents.ts'
import { unpaidCheckouts } from './028-unpaid-checkouts.ts'
import { deviceTokens } from './029-device-tokens.ts'
import { refunds } from './030-refunds.ts'
import { removedLines } from './031-removed-lines.ts'

/** Migrations in the order they run. Names and content of released migrations must never change. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001-storefront': storefront,
  '002-accounts': accounts,
  '003-draws': draws,
  '004-orders': orders,
  '005-admin': admin,
  '006-publishes': publishes,
  '007-blog': blog,
  '008-plain-names': plainNames,
  '009-shopper-cancellations': shopperCancellations,
  '010-code-tries': codeTries,
  '011-unpaid-orders': unpaidOrders,
  '012-ordered-products': orderedProducts,
  '013-protection': protection,
  '014-settings-and-staff': settings,
  '015-deleted-checkouts': deletedCheckouts,
  '016-reductions': reductions,
  '017-families-and-collections': familiesAndCollections,
  '018-tax': tax,
  '019-stock-alerts': stockAlerts,
  '020-coupons': coupons,
  '021-delivery': delivery,
  '022-order-changes': orderChanges,
  '023-missed-searches': missedSearches,
  '024-packing': packing,
  '025-nodes': nodes,
  '026-large-tables': largeTables,
  '027-texts-and-percents': textsAndPercents,
  '028-unpaid-checkouts': unpaidCheckouts,
  '029-device-tokens': deviceTokens,
  '030-refunds': refunds,
  '031-removed-lines': removedLines
}
