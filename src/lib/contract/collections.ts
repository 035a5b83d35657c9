import * as z from 'zod/mini'
import { COLLECTION_LIMITS } from '../constants.ts'
import type { Done } from './accounts.ts'
import { PictureUse } from './catalog.ts'
import {
  Instant,
  optionalText,
  PathId,
  Picture,
  requiredLine,
  optionalLine,
  type ById,
  type Removal,
  translationsOf
} from './values.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'

const name = requiredLine(COLLECTION_LIMITS.name, ADMIN_TEXTS.nameRequired)
const description = optionalText(COLLECTION_LIMITS.description)
const translations = translationsOf({ name, description })

export type Collection = z.infer<typeof Collection>
export const Collection = z.object({
  id: z.string(),
  name: z.string(),
  nameTamil: z.string(),
  description: z.string(),
  picture: z.optional(Picture),
  products: z.array(z.string()),
  translations
})

export type AdminCollection = z.infer<typeof AdminCollection>
export const AdminCollection = z.extend(Collection, {
  version: z.int(),
  hiddenAt: z.nullable(Instant)
})

const isUnique = (ids: readonly string[]) => new Set(ids).size === ids.length

export type CollectionFields = z.infer<typeof CollectionFields>
export const CollectionFields = z.object({
  name,
  nameTamil: optionalLine(COLLECTION_LIMITS.name),
  description,
  picture: z.nullable(PictureUse),
  products: z
    .array(PathId)
    .check(z.maxLength(COLLECTION_LIMITS.products, ADMIN_TEXTS.listTooLong), z.refine(isUnique)),
  hidden: z.boolean(),
  translations
})

export type CollectionDraft = z.infer<typeof CollectionDraft>
export const CollectionDraft = z.extend(CollectionFields, { key: z.uuid() })

export type CollectionChange = z.infer<typeof CollectionChange>
export const CollectionChange = z.extend(z.partial(CollectionFields), { version: z.int() })

export type CollectionOrder = z.infer<typeof CollectionOrder>
export const CollectionOrder = z.object({
  ids: z.array(PathId).check(z.maxLength(COLLECTION_LIMITS.collections))
})

export interface CollectionsApi {
  'GET /collections': { reply: Collection[] }
  'GET /admin/collections': { reply: AdminCollection[] }
  'GET /admin/collections/{id}': ById<AdminCollection>
  'POST /admin/collections': { body: CollectionDraft; reply: AdminCollection }
  'PUT /admin/collections/order': { body: CollectionOrder; reply: AdminCollection[] }
  'PATCH /admin/collections/{id}': ById<AdminCollection, { body: CollectionChange }>
  'DELETE /admin/collections/{id}': Removal<Done>
}
