import {
  COLLECTION_FORM_FIELDS,
  COLLECTION_LABELS,
  EMPTY_COLLECTION,
  extractCollectionFields,
  formatCollectionField,
  parseCollectionForm,
  toCollectionFormValues,
  validateCollection
} from '#lib/admin/collection-form.ts'
import { splitList } from '#lib/admin/form.ts'
import { ADMIN_MESSAGES, collectionAddedText } from '#lib/admin/messages.ts'
import { COLLECTION_LIMITS } from '#lib/constants.ts'
import type { AdminCollection, CollectionFields } from '#lib/contract/collections.ts'
import {
  changeCollection,
  createCollection,
  readCollection
} from '#lib/stores/admin/collections.ts'
import { notify } from '#lib/stores/toasts.ts'
import { Field, SelectField, TextArea } from '../../ui/Field.tsx'
import { PostPicture } from '../posts/PostPicture.tsx'
import { RecordForm, useRecordForm } from '../ui/RecordForm.tsx'
import { usePictures } from '../ui/use-pictures.ts'
import type { SaveRules } from '../ui/use-saving.ts'
import { ProductPicker } from './ProductPicker.tsx'

const SAVE_RULES: SaveRules<AdminCollection, CollectionFields> = {
  getFields: extractCollectionFields,
  read: ({ id }) => readCollection(id),
  save: ({ id, version }, edits) => changeCollection(id, { ...edits, version }),
  labels: COLLECTION_LABELS,
  format: formatCollectionField,
  savedMessage: ({ name }) => ({ title: name, text: ADMIN_MESSAGES.saved })
}

interface CollectionFormProps {
  id: string
  original: AdminCollection | undefined
  onReset: (collection?: AdminCollection) => void
}

export function CollectionForm({ id, original, onReset }: CollectionFormProps) {
  const form = useRecordForm({
    kind: 'collection',
    id,
    original,
    names: COLLECTION_FORM_FIELDS,
    getInitial: () => (original ? toCollectionFormValues(original) : EMPTY_COLLECTION),
    check: values => validateCollection(values, pictures.list.length > 0),
    parse: values => parseCollectionForm(values, pictures.list[0]),
    create: async (fields, key) => {
      await createCollection({ ...fields, key })
      notify({ title: collectionAddedText(fields.name), text: ADMIN_MESSAGES.websiteUpdates })
    },
    saveRules: SAVE_RULES,
    onReset
  })
  const pictures = usePictures(form.draft, original?.picture ? [original.picture] : [], {
    getName: () => form.values().name.trim(),
    max: 1
  })
  const { field, fill, formValues } = form
  return (
    <RecordForm
      label="Collection"
      form={form}
      saveLabel="Save collection"
      waitingLabel={pictures.isUploading && 'Waiting for the picture…'}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          state={field('name')}
          label="Name"
          maxLength={COLLECTION_LIMITS.name}
          hint="Also used for the web address, which can’t be changed later."
        />
        <Field
          state={field('nameTamil')}
          label="Tamil name (optional)"
          lang="ta"
          maxLength={COLLECTION_LIMITS.name}
        />
        <TextArea
          state={field('description')}
          label="Text (optional)"
          rows={3}
          maxLength={COLLECTION_LIMITS.description}
          hint="Shown at the top of its page and on the home page."
          className="sm:col-span-2"
        />
      </div>
      <ProductPicker
        state={field('products')}
        ids={splitList(formValues.products)}
        onChange={ids => fill({ products: ids.join(',') })}
      />
      <PostPicture
        state={field('picture.alt')}
        pictures={pictures}
        hint="Drop a picture here or paste it. Without one, the picture of the first product is shown."
      />
      <SelectField
        state={field('visible')}
        label="Status"
        choices={Object.entries({ yes: 'In the shop', no: 'Hidden' })}
      />
    </RecordForm>
  )
}
