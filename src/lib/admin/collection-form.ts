import { COLLECTION_LIMITS } from '../constants.ts'
import type { PictureUse } from '../contract/catalog.ts'
import type { AdminCollection, CollectionFields } from '../contract/collections.ts'
import type { Picture } from '../contract/values.ts'
import { field, hiddenField, tamil, type InputSpec, type RecordForm } from './fields.ts'
import {
  findProblems,
  labelsOf,
  parseTyped,
  toPictureUse,
  toTyped,
  fieldFormatter
} from './field-values.ts'
import { ADMIN_MESSAGES } from './messages.ts'

const SPECS: readonly InputSpec[] = [
  field('text', 'name', 'Name', {
    hint: 'Also used for the web address, which can’t be changed later.',
    max: COLLECTION_LIMITS.name,
    problem: ADMIN_MESSAGES.nameRequired
  }),
  { ...tamil('nameTamil', 'Tamil name'), max: COLLECTION_LIMITS.name, isOptional: true },
  field('area', 'description', 'Text', {
    hint: 'Shown at the top of its page and on the home page.',
    max: COLLECTION_LIMITS.description,
    isOptional: true,
    isWide: true
  }),
  field('own', 'products', 'Products', { isWide: true }),
  field('photo', 'picture', 'Picture', {
    hint:
      'Drop a picture here or paste it. ' +
      'Without one, the picture of the first product is shown.',
    isOptional: true,
    isWide: true
  }),
  hiddenField('In the shop', 'Hidden')
]

export function toCollectionFields(collection: AdminCollection): CollectionFields {
  const { name, nameTamil, description, products, picture, hiddenAt } = collection
  return {
    name,
    nameTamil,
    description,
    products,
    picture: picture ? toPictureUse(picture) : null,
    hidden: hiddenAt !== null
  }
}

export const COLLECTION_FORM: RecordForm<AdminCollection, CollectionFields> = {
  specs: SPECS,
  labels: { ...labelsOf(SPECS), position: 'Position' },
  format: fieldFormatter({ picture: ({ alt }: PictureUse) => alt }),
  toFields: toCollectionFields,
  toTyped: collection => ({
    ...toTyped(SPECS, toCollectionFields(collection)),
    picture: collection.picture ?? null
  }),
  parse: (typed, before) => {
    const picture = typed['picture'] as Picture | null
    const fields = parseTyped(SPECS, typed, before)
    return { ...(fields as CollectionFields), picture: picture ? toPictureUse(picture) : null }
  },
  check: ({ products, picture, hidden, ...fields }) => ({
    ...findProblems(SPECS, fields),
    ...(products.length === 0 &&
      !hidden && { products: 'Please choose products, or keep the collection hidden' }),
    ...(picture?.alt === '' && { 'picture.alt': ADMIN_MESSAGES.pictureAltRequired })
  })
}

export const EMPTY_COLLECTION = {
  ...toTyped(SPECS, { products: [], hidden: false }),
  picture: null
}
