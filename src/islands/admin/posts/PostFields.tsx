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
  initial: PostFormValues
  formValues: PostFormValues
  pictures: Pictures
  /** Undefined for a new post. */
  id: string | undefined
}

export function PostFields({ field, initial, formValues, pictures, id }: PostFieldsProps) {
  return (
    <>
      <Field
        state={field('title')}
        label="Title"
        defaultValue={initial.title}
        maxLength={POST_LIMITS.title}
        autoComplete="off"
      />
      <TextArea
        state={field('excerpt')}
        label="Summary"
        rows={2}
        defaultValue={initial.excerpt}
        maxLength={POST_LIMITS.excerpt}
        hint="One-line summary for the blog list, Google and WhatsApp previews."
      />
      <MarkdownField
        state={field('content')}
        initial={initial.content}
        formValues={formValues}
        picture={pictures.list[0]}
      />
      <PostPicture state={field('picture.alt')} pictures={pictures} />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          state={field('author')}
          label="Author"
          defaultValue={initial.author}
          maxLength={POST_LIMITS.author}
          autoComplete="off"
        />
        <Field
          state={field('day')}
          label="Date"
          type="date"
          max={toDayInIndia(Date.now())}
          defaultValue={initial.day}
          hint="Shown on the post. Newest posts come first."
        />
        {id === undefined ? (
          <Field
            state={field('slug')}
            label="Web address (optional)"
            prefix={`${paths.blogs}/`}
            defaultValue={initial.slug}
            maxLength={POST_LIMITS.slug}
            autoComplete="off"
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
        <SelectField state={field('visible')} label="Status" defaultValue={initial.visible}>
          <option value="yes">Published</option>
          <option value="no">Draft</option>
        </SelectField>
      </div>
    </>
  )
}
