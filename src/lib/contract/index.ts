import type { AccountsApi } from './accounts.ts'
import type { AdminApi } from './admin/index.ts'
import type { CartApi } from './cart.ts'
import type { CatalogApi } from './catalog.ts'
import type { ContentApi } from './content.ts'
import type { DealsApi } from './deals.ts'
import type { OrdersApi } from './orders.ts'
import type { PublishingApi } from './publishing.ts'

export interface Api
  extends CatalogApi, DealsApi, ContentApi, AccountsApi, CartApi, OrdersApi, AdminApi, PublishingApi {}
