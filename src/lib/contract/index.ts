import type { AccountsApi } from './accounts.ts'
import type { AdminApi } from './admin.ts'
import type { CatalogApi } from './catalog.ts'
import type { CheckoutApi } from './checkout.ts'
import type { ContentApi } from './content.ts'
import type { DealsApi } from './deals.ts'
import type { OrdersApi } from './orders.ts'

export interface Api extends CatalogApi, DealsApi, ContentApi, AccountsApi, CheckoutApi, OrdersApi, AdminApi {}
