import * as z from 'zod/mini'
import { Rupees } from '../values.ts'

export type Dashboard = z.infer<typeof Dashboard>
/** How the shop stands now. */
export const Dashboard = z.object({
  /** Products that visitors see, orders that were paid, accounts, deals that run or are to come. */
  counts: z.object({ products: z.int(), orders: z.int(), users: z.int(), deals: z.int() }),
  /** Orders that are to be packed today: for tomorrow at the latest, or as soon as they are fresh. */
  toPack: z.int(),
  /** Messages that nobody has read. */
  unread: z.int(),
  /** Products of which few packs are left, the fewest first. */
  lowStock: z.array(z.object({ id: z.string(), name: z.string(), stock: z.int() })),
  /** Of each of the last days in India, today included, the oldest first; what was cancelled is no sale. */
  sales: z.array(z.object({ day: z.iso.date(), orders: z.int(), total: Rupees }))
})

export interface AdminDashboardApi {
  'GET /admin/dashboard': { reply: Dashboard }
}
