import type { Migration } from 'kysely'
import { storefront } from './001-storefront.ts'
import { accounts } from './002-accounts.ts'
import { draws } from './003-draws.ts'
import { orders } from './004-orders.ts'
import { admin } from './005-admin.ts'
import { publishes } from './006-publishes.ts'
import { blog } from './007-blog.ts'
import { plainNames } from './008-plain-names.ts'
import { shopperCancellations } from './009-shopper-cancellations.ts'
import { codeTries } from './010-code-tries.ts'
import { unpaidOrders } from './011-unpaid-orders.ts'
import { orderedProducts } from './012-ordered-products.ts'
import { sessionVerifications } from './013-session-verifications.ts'
import { shopIdentity } from './014-shop-identity.ts'
import { reversals } from './015-reversals.ts'
import { drawPeople } from './016-draw-people.ts'
import { stockWords } from './017-stock-words.ts'
import { settings } from './018-settings.ts'
import { setUp } from './019-set-up.ts'
import { messageAnswers } from './020-message-answers.ts'
import { staff } from './021-staff.ts'

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
  '013-session-verifications': sessionVerifications,
  '014-shop-identity': shopIdentity,
  '015-reversals': reversals,
  '016-draw-people': drawPeople,
  '017-stock-words': stockWords,
  '018-settings': settings,
  '019-set-up': setUp,
  '020-message-answers': messageAnswers,
  '021-staff': staff
}
