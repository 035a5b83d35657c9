import * as z from 'zod/mini'
import { Rupees } from '../values.ts'

export type Dashboard = z.infer<typeof Dashboard>
export const Dashboard = z.object({
  /** Visible products, paid orders, all accounts, running and scheduled deals. */
  counts: z.object({ products: z.int(), orders: z.int(), users: z.int(), deals: z.int() }),
  /** Orders due for delivery by tomorrow, or without a date. */
  toPack: z.int(),
  unread: z.int(),
  /** Lowest stock first. */
  lowStock: z.array(z.object({ id: z.string(), name: z.string(), stock: z.int() })),
  /** One entry per day (IST), oldest first, including today; without cancelled orders. */
  sales: z.array(z.object({ day: z.iso.date(), orders: z.int(), total: Rupees }))
})

export interface AdminDashboardApi {
  'GET /admin/dashboard': { reply: Dashboard }
}
