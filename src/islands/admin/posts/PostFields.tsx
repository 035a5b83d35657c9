import type { PostFormField, PostFormValues } from '#lib/admin/post-form.ts'
import { POST_LIMITS } from '#lib/constants.ts'
import { paths } from '#lib/paths.ts'
import { toDayInIndia } from '#lib/time.ts'
import { Field, SelectField, TextArea } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import type { Pictures } from '../ui/use-pictures.ts'
import { MarkdownField } from './MarkdownField.tsx'
import { PostPicture } from './PostPicture.tsx'

interface PostFieldsProps {
  field: (name: PostFormField) => FieldState
  formValues: PostFormValues
  pictures: Pictures
  /** Undefined for a new post. */
  id: string | undefined
}

export function PostFields({ field, formValues, pictures, id }: PostFieldsProps) {
  return (
    <>
      <Field state={field('title')} label="Title" maxLength={POST_LIMITS.title} />
      <TextArea
        state={field('excerpt')}
        label="Summary"
        rows={2}
        maxLength={POST_LIMITS.excerpt}
        hint="One-line summary for the blog list, Google and WhatsApp previews."
      />
      <MarkdownField state={field('content')} formValues={formValues} picture={pictures.list[0]} />
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
        {id === undefined ? (
          <Field
            state={field('slug')}
            label="Web address (optional)"
            prefix={`${paths.blogs}/`}
            maxLength={POST_LIMITS.slug}
            autoCapitalize="none"
            spellCheck={false}
            hint="Leave empty to use the title. Can’t be changed after saving."
          />
        ) : (
          <div>
            <p className="mb-1 font-semibold">Web address</p>
            <p className="break-all py-2">{paths.blog(id)}</p>
          </div>
        )}
        <SelectField
          state={field('visible')}
          label="Status"
          choices={[
            ['yes', 'Published'],
            ['no', 'Draft']
          ]}
        />
      </div>
    </>
  )
}
