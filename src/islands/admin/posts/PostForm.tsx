import { ADMIN_MESSAGES, postPublishedText } from '#lib/admin/messages.ts'
import {
  createEmptyPost,
  extractPostFields,
  findDifference,
  formatPostField,
  parsePostForm,
  POST_FORM_FIELDS,
  POST_LABELS,
  type PostFormValues,
  toPostFormValues,
  validatePost
} from '#lib/admin/post-form.ts'
import { POST_LIMITS } from '#lib/constants.ts'
import type { AdminPost, PostFields as Fields } from '#lib/contract/content.ts'
import type { Picture } from '#lib/contract/values.ts'
import { paths } from '#lib/paths.ts'
import { changePost, createPost, readPost, renderPreview } from '#lib/stores/admin/posts.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDate, toDayInIndia, toStartOfDay } from '#lib/time.ts'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { Field, SelectField, TextArea } from '../../ui/Field.tsx'
import { RecordForm, useRecordForm } from '../ui/RecordForm.tsx'
import { usePictures } from '../ui/use-pictures.ts'
import type { SaveRules } from '../ui/use-saving.ts'
import { MarkdownField } from './MarkdownField.tsx'
import { PostPicture } from './PostPicture.tsx'
import { Preview } from './Preview.tsx'

const SAVE_RULES: SaveRules<AdminPost, Fields> = {
  getFields: extractPostFields,
  read: ({ id }) => readPost(id),
  save: ({ id, version }, edits) => changePost(id, { ...edits, version }),
  labels: POST_LABELS,
  format: (name, value, other) =>
    name === 'content'
      ? findDifference(String(value), String(other))
      : formatPostField(name, value),
  savedMessage: ({ title, hidden }) => ({
    title,
    text: hidden ? ADMIN_MESSAGES.postDraftSaved : ADMIN_MESSAGES.saved
  })
}

interface PostFormProps {
  id: string
  original: AdminPost | undefined
  author: string
  onReset: (post?: AdminPost) => void
}

export function PostForm({ id, original, author, onReset }: PostFormProps) {
  const form = useRecordForm({
    kind: 'post',
    id,
    original,
    names: POST_FORM_FIELDS,
    getInitial: () => (original ? toPostFormValues(original) : createEmptyPost(author, Date.now())),
    check: values => validatePost(values, pictures.list.length > 0, Date.now()),
    parse: values => parsePostForm(values, pictures.list[0]),
    create: async (fields, key, values) => {
      const slug = values.slug.trim()
      await createPost({ ...fields, ...(slug !== '' && { slug }), key })
      notify(
        fields.hidden
          ? { title: fields.title, text: ADMIN_MESSAGES.postDraftSaved }
          : { title: postPublishedText(fields.title), text: ADMIN_MESSAGES.websiteUpdates }
      )
    },
    saveRules: SAVE_RULES,
    onReset
  })
  const pictures = usePictures(form.draft, original?.picture ? [original.picture] : [], {
    getName: () => form.values().title.trim(),
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
      <Field state={field('title')} label="Title" maxLength={POST_LIMITS.title} />
      <TextArea
        state={field('excerpt')}
        label="Summary"
        rows={2}
        maxLength={POST_LIMITS.excerpt}
        hint="One-line summary for the blog list, Google and WhatsApp previews."
      />
      <MarkdownField
        state={field('content')}
        label="Text"
        maxLength={POST_LIMITS.content}
        preview={isSideBySide => (
          <PostPreview
            formValues={formValues}
            picture={pictures.list[0]}
            isSideBySide={isSideBySide}
          />
        )}
      />
      <PostPicture state={field('picture.alt')} pictures={pictures} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field state={field('author')} label="Author" maxLength={POST_LIMITS.author} />
        <Field
          state={field('day')}
          label="Date"
          type="date"
          max={toDayInIndia(Date.now())}
          hint="Shown on the post. Newest posts come first."
        />
        {original ? (
          <div>
            <p className="mb-1 font-semibold">Web address</p>
            <p className="break-all py-2">{paths.blog(original.id)}</p>
          </div>
        ) : (
          <Field
            state={field('slug')}
            label="Web address (optional)"
            prefix={`${paths.blogs}/`}
            maxLength={POST_LIMITS.slug}
            autoCapitalize="none"
            spellCheck={false}
            hint="Leave empty to use the title. Can’t be changed after saving."
          />
        )}
        <SelectField
          state={field('visible')}
          label="Status"
          choices={Object.entries({ yes: 'Published', no: 'Draft' })}
        />
      </div>
    </RecordForm>
  )
}

interface PostPreviewProps {
  formValues: PostFormValues
  picture: Picture | undefined
  isSideBySide: boolean
}

function PostPreview({
  formValues: { title, author, day, content },
  picture,
  isSideBySide
}: PostPreviewProps) {
  const isEmpty = `${title}${content}`.trim() === '' && !picture
  return (
    <Preview content={content} render={renderPreview} isSideBySide={isSideBySide}>
      {!isEmpty && (
        <>
          <p
            className={`break-words font-serif text-2xl font-semibold ${isSideBySide ? '' : 'sm:text-3xl'}`}
          >
            {title}
          </p>
          <p className="mt-3 text-ink/70">
            {author} · {/^\d{4}-\d\d-\d\d$/.test(day) && formatDate(toStartOfDay(day))}
          </p>
          {picture && (
            <div className="my-6">
              <ProductPicture
                picture={picture}
                sizes="(min-width: 768px) 720px, calc(100vw - 2rem)"
                maxWidth={1080}
                className="aspect-video w-full rounded-card object-cover shadow-soft"
              />
            </div>
          )}
        </>
      )}
    </Preview>
  )
}
