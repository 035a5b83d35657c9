import { isBlank, toProblems, type Problems } from '../account/forms.ts'
import type { PictureUse } from '../contract/catalog.ts'
import type { AdminCollection, CollectionFields } from '../contract/collections.ts'
import { fieldFormatter, splitList } from './form.ts'
import { ADMIN_MESSAGES } from './messages.ts'

/** In display order. The names equal those in the server's field errors. */
export const EMPTY_COLLECTION = {
  name: '',
  nameTamil: '',
  description: '',
  /** Ids in display order, separated by commas. */
  products: '',
  'picture.alt': '',
  visible: 'yes'
}
type CollectionFormField = keyof typeof EMPTY_COLLECTION
type CollectionFormValues = Record<CollectionFormField, string>
export const COLLECTION_FORM_FIELDS = Object.keys(EMPTY_COLLECTION) as CollectionFormField[]

export const COLLECTION_LABELS: Readonly<Record<keyof CollectionFields | 'position', string>> = {
  name: 'Name',
  nameTamil: 'Tamil name',
  description: 'Text',
  products: 'Products',
  picture: 'Picture',
  hidden: 'Hidden',
  position: 'Position'
}

export function toCollectionFormValues(collection: AdminCollection): CollectionFormValues {
  const { name, nameTamil, description, products, picture, hiddenAt } = collection
  return {
    name,
    nameTamil,
    description,
    products: products.join(','),
    'picture.alt': picture?.alt ?? '',
    visible: hiddenAt === null ? 'yes' : 'no'
  }
}

export function extractCollectionFields(collection: AdminCollection): CollectionFields {
  return parseCollectionForm(toCollectionFormValues(collection), collection.picture)
}

export function parseCollectionForm(
  { name, nameTamil, description, products, visible }: CollectionFormValues,
  picture: PictureUse | undefined
): CollectionFields {
  return {
    name: name.trim(),
    nameTamil: nameTamil.trim(),
    description: description.trim(),
    products: splitList(products),
    picture: picture ? { key: picture.key, alt: picture.alt.trim() } : null,
    hidden: visible !== 'yes'
  }
}

export function validateCollection(
  values: CollectionFormValues,
  hasPicture: boolean
): Problems<CollectionFormField> {
  return toProblems({
    name: isBlank(values.name) && ADMIN_MESSAGES.nameRequired,
    products:
      isBlank(values.products) && values.visible === 'yes' && ADMIN_MESSAGES.collectionEmpty,
    'picture.alt': hasPicture && isBlank(values['picture.alt']) && ADMIN_MESSAGES.pictureAltRequired
  })
}

export const formatCollectionField = fieldFormatter({ picture: ({ alt }: PictureUse) => alt })
