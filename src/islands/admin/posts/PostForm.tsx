import { pickEdits } from '#lib/admin/form.ts'
import { ADMIN_MESSAGES, postPublishedText } from '#lib/admin/messages.ts'
import {
  createEmptyPost,
  extractPostFields,
  findDifference,
  formatPostField,
  parsePostForm,
  POST_FORM_FIELDS,
  POST_LABELS,
  toPostFormValues,
  validatePost
} from '#lib/admin/post-form.ts'
import type { AdminPost, PostFields as Fields } from '#lib/contract/content.ts'
import { changePost, createPost, readPost } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'
import { RecordForm, useRecordForm } from '../ui/RecordForm.tsx'
import { useFormDraft } from '../ui/form-draft.ts'
import { usePictures } from '../ui/use-pictures.ts'
import type { SaveRules } from '../ui/use-saving.ts'
import { PostFields } from './PostFields.tsx'

const SAVE_RULES: SaveRules<AdminPost, Fields> = {
  getFields: extractPostFields,
  read: ({ id }) => readPost(id),
  save: (original, latest, fields) =>
    changePost(original.id, { ...pickEdits(extractPostFields(original), fields), version: latest.version }),
  labels: POST_LABELS,
  format: (name, value, other) =>
    name === 'content' ? findDifference(String(value), String(other)) : formatPostField(name, value),
  savedMessage: ({ title, hidden }) => ({ title, text: hidden ? ADMIN_MESSAGES.postDraftSaved : ADMIN_MESSAGES.saved })
}

interface PostFormProps {
  id: string
  original: AdminPost | undefined
  author: string
  onReset: (post?: AdminPost) => void
  onClose: () => void
}

export function PostForm({ id, original, author, onReset, onClose }: PostFormProps) {
  const draft = useFormDraft('post', id, POST_FORM_FIELDS)
  const form = useRecordForm({
    names: POST_FORM_FIELDS,
    draft,
    original,
    getInitial: () => (original ? toPostFormValues(original) : createEmptyPost(author, Date.now())),
    check: values => validatePost(values, pictures.list.length > 0, Date.now()),
    parse: values => parsePostForm(values, pictures.list[0]),
    create: async (fields, values) => {
      const slug = values.slug.trim()
      await createPost({ ...fields, ...(slug !== '' && { slug }), key: draft.key })
      notify(
        fields.hidden
          ? { title: fields.title, text: ADMIN_MESSAGES.postDraftSaved }
          : { title: postPublishedText(fields.title), text: ADMIN_MESSAGES.saved }
      )
    },
    saveRules: SAVE_RULES,
    onReset,
    onClose
  })
  const pictures = usePictures(draft, original?.picture ? [original.picture] : [], {
    getName: () => form.values().title.trim(),
    getDefaultAlt: () => '',
    max: 1
  })
  const { field, formValues } = form
  const publishLabel = original?.hiddenAt === null ? 'Save post' : 'Publish post'
  return (
    <RecordForm
      label="Post"
      form={form}
      saveLabel={formValues.visible === 'yes' ? publishLabel : 'Save draft'}
      waitingLabel={pictures.isUploading && 'Waiting for the picture…'}
    >
      <PostFields field={field} formValues={formValues} pictures={pictures} id={original?.id} />
    </RecordForm>
  )
}
