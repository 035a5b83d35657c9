import * as z from 'zod/mini'
import { SETUP_GAPS, SETUP_ROW_IDS } from '../admin/setup.ts'
import type { Done } from './accounts.ts'

export type SetupState = z.infer<typeof SetupState>
export const SetupState = z.object({
  rows: z.array(
    z.object({
      id: z.enum(SETUP_ROW_IDS),
      /** Empty if the row is done. */
      missing: z.array(z.enum(SETUP_GAPS))
    })
  ),
  payments: z.enum(['sandbox', 'test', 'live']),
  /** Numbers of demo products, posts and deals that visitors see and nobody has changed. */
  demo: z.object({ products: z.int(), posts: z.int(), deals: z.int() })
})

export interface SetupApi {
  'GET /admin/setup': { reply: SetupState }
  'DELETE /admin/demo-data': { reply: Done }
}
