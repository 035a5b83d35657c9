import * as z from 'zod/mini'

export type SearchData = z.infer<typeof SearchData>
/** What the search must know besides the products, and what is offered if nothing is found. */
export const SearchData = z.object({
  categories: z.array(z.object({ name: z.string(), label: z.string(), labelTamil: z.string() })),
  collections: z.array(
    z.object({ id: z.string(), name: z.string(), nameTamil: z.string(), products: z.array(z.string()) })
  ),
  /** Each line has words that mean the same, with commas between them: 'murukku, chakli'. */
  synonyms: z.string(),
  /** Ids of the products that the owner has chosen for the home page. */
  bestsellers: z.array(z.string()),
  contact: z.object({ phone: z.string(), whatsapp: z.string() })
})

export interface SearchApi {
  'GET /search': { reply: SearchData }
}
