import { useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  createEmptyPost,
  POST_FORM_FIELDS,
  validatePost,
  parsePostForm,
  toPostFormValues,
  type PostFormField
} from '#lib/admin/post-form.ts'
import type { AdminPost } from '#lib/contract/admin/posts.ts'
import { Failure } from '../../form/Failure.tsx'
import { useForm } from '../../form/use-form.ts'
import { usePictures } from '../products/pictures/use-pictures.ts'
import { ConflictNotice } from '../ui/ConflictNotice.tsx'
import { FormWithDraft, type DraftProps } from '../ui/FormWithDraft.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { PostFields } from './PostFields.tsx'
import { usePostSaving } from './use-post-saving.ts'

interface PostFormProps {
  id: string
  original: AdminPost | undefined
  author: string
  onUseTheirs?: (post: AdminPost) => void
  onSaved: () => void
  onCancel: () => void
}

export function PostForm({ id, ...props }: PostFormProps) {
  return (
    <FormWithDraft kind="post" id={id} names={POST_FORM_FIELDS}>
      {draftProps => <Form {...props} {...draftProps} />}
    </FormWithDraft>
  )
}

type FormProps = Omit<PostFormProps, 'id'> & DraftProps<PostFormField>

function Form({ original, author, onUseTheirs, onSaved, onCancel, draft: unsavedInput, restored }: FormProps) {
  const { conflict, save, overwrite } = usePostSaving(original, unsavedInput.key)
  const [initial] = useState(
    () => restored.values ?? (original ? toPostFormValues(original) : createEmptyPost(author, Date.now()))
  )
  // The form fields are uncontrolled, so the preview needs a copy of their values in React state.
  const [formValues, setFormValues] = useState(initial)
  const discardUnsavedInputAnd = (action: () => void) => {
    unsavedInput.discard()
    action()
  }
  const { form, field, failure, busy, run, values } = useForm<PostFormField>({
    names: POST_FORM_FIELDS,
    check: fields => validatePost(fields, pictures.list.length > 0, Date.now()),
    send: async fields => {
      if (await save(parsePostForm(fields, pictures.list[0]), fields.slug.trim())) discardUnsavedInputAnd(onSaved)
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed, fallback: ADMIN_MESSAGES.tryAgain }
  })
  const pictures = usePictures(restored.pictures ?? (original?.picture ? [original.picture] : []), {
    getName: () => values().title.trim(),
    getDefaultAlt: () => '',
    max: 1,
    onChange: unsavedInput.savePictures
  })
  const isUploading = pictures.uploads.some(({ failed }) => !failed)

  return (
    <form
      {...form}
      aria-label="Post"
      onInput={() => {
        form.onInput()
        setFormValues(values())
        unsavedInput.saveValues(values())
      }}
      onSubmit={event => {
        if (isUploading) event.preventDefault()
        else form.onSubmit(event)
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
    >
      {conflict && (
        <ConflictNotice
          differences={conflict.differences}
          onUseTheirs={() => discardUnsavedInputAnd(() => onUseTheirs?.(conflict.latest))}
          onKeepMine={() => void run(async () => void ((await overwrite()) && discardUnsavedInputAnd(onSaved)))}
        />
      )}
      <PostFields field={field} initial={initial} formValues={formValues} pictures={pictures} id={original?.id} />
      <Failure failure={failure} />
      <SaveBar
        label={formValues.visible !== 'yes' ? 'Save draft' : original?.hiddenAt === null ? 'Save post' : 'Publish post'}
        busy={busy}
        waitingLabel={isUploading && 'Waiting for the picture…'}
        onCancel={() => discardUnsavedInputAnd(onCancel)}
      />
    </form>
  )
}
