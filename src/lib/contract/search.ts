import * as z from 'zod/mini'
import { MAX_MISSED_SEARCH } from '../constants.ts'
import type { Done } from './accounts.ts'
import { plainText } from './values.ts'

export type SearchData = z.infer<typeof SearchData>
/** Beside the products. `bestsellers` and `contact` are shown if nothing is found. */
export const SearchData = z.object({
  categories: z.array(z.object({ name: z.string(), label: z.string(), labelTamil: z.string() })),
  collections: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      nameTamil: z.string(),
      products: z.array(z.string())
    })
  ),
  synonyms: z.string(),
  /** Ids of the products that the owner has chosen for the home page. */
  bestsellers: z.array(z.string()),
  contact: z.object({ phone: z.string(), whatsapp: z.string() })
})

export type MissedText = z.infer<typeof MissedText>
export const MissedText = z.object({
  text: plainText().check(z.trim(), z.toLowerCase(), z.minLength(2), z.maxLength(MAX_MISSED_SEARCH))
})

export type MissedSearch = z.infer<typeof MissedSearch>
export const MissedSearch = z.object({
  text: z.string(),
  /** In the last 30 days. */
  count: z.int(),
  /** In India. */
  lastDay: z.string()
})

export interface SearchApi {
  'GET /search': { reply: SearchData }
  'POST /search/missed': { body: MissedText; reply: Done }
  'GET /admin/searches': { reply: MissedSearch[] }
}
