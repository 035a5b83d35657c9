import * as z from 'zod/mini'
import { Rupees } from '../values.ts'

export type Dashboard = z.infer<typeof Dashboard>
export const Dashboard = z.object({
  /** Counts visible products, paid orders, all accounts, and deals that have not ended. */
  counts: z.object({ products: z.int(), orders: z.int(), users: z.int(), deals: z.int() }),
  /** Number of orders to deliver by tomorrow, plus orders without a delivery date. */
  toPack: z.int(),
  unread: z.int(),
  lowStock: z.array(z.object({ id: z.string(), name: z.string(), stock: z.int() })),
  /** One entry per day in India, oldest first. Cancelled orders are not counted. */
  sales: z.array(z.object({ day: z.iso.date(), orders: z.int(), total: Rupees }))
})

export interface AdminDashboardApi {
  'GET /admin/dashboard': { reply: Dashboard }
}
