import type { AdminAuditApi } from './audit.ts'
import type { AdminProductsApi } from './products.ts'

/** The calls of the owner's pages; each is answered to administrators only. */
export interface AdminApi extends AdminAuditApi, AdminProductsApi {}
