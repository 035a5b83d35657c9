import { useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import {
  emptyPost,
  POST_FORM_FIELDS,
  postProblems,
  toPostFields,
  valuesOfPost,
  type PostFormField
} from '#lib/admin/post-form.ts'
import type { AdminPost } from '#lib/contract/admin/posts.ts'
import { Failure } from '../../form/Failure.tsx'
import { useForm } from '../../form/use-form.ts'
import { usePictures } from '../products/pictures/use-pictures.ts'
import { ConflictNotice } from '../ui/ConflictNotice.tsx'
import { DraftedForm, type Drafted } from '../ui/DraftedForm.tsx'
import { SaveBar } from '../ui/SaveBar.tsx'
import { PostFields } from './PostFields.tsx'
import { usePostSaving } from './use-post-saving.ts'

interface PostFormProps {
  id: string
  start: AdminPost | undefined
  author: string
  onUseTheirs?: (post: AdminPost) => void
  onSaved: () => void
  onCancel: () => void
}

export function PostForm({ id, ...props }: PostFormProps) {
  return (
    <DraftedForm kind="post" id={id} names={POST_FORM_FIELDS}>
      {drafted => <Form {...props} {...drafted} />}
    </DraftedForm>
  )
}

type FormProps = Omit<PostFormProps, 'id'> & Drafted<PostFormField>

function Form({ start, author, onUseTheirs, onSaved, onCancel, draft, restored }: FormProps) {
  const { conflict, save, overwrite } = usePostSaving(start, draft.key)
  const [initial] = useState(() => restored.values ?? (start ? valuesOfPost(start) : emptyPost(author, Date.now())))
  // The fields are uncontrolled; this is a copy for the preview.
  const [typed, setTyped] = useState(initial)
  const leave = (then: () => void) => {
    draft.discard()
    then()
  }
  const { form, field, failure, busy, run, values } = useForm<PostFormField>({
    names: POST_FORM_FIELDS,
    check: now => postProblems(now, pictures.list.length > 0, Date.now()),
    send: async now => {
      if (await save(toPostFields(now, pictures.list[0]), now.slug.trim())) leave(onSaved)
    },
    errorText: { title: ADMIN_MESSAGES.saveFailed, fallback: ADMIN_MESSAGES.tryAgain }
  })
  const pictures = usePictures(restored.pictures ?? (start?.picture ? [start.picture] : []), {
    nameOf: () => values().title.trim(),
    altOf: () => '',
    max: 1,
    onChange: draft.savePictures
  })
  const waiting = pictures.uploads.some(({ failed }) => !failed)

  return (
    <form
      {...form}
      aria-label="Post"
      onInput={() => {
        form.onInput()
        setTyped(values())
        draft.saveValues(values())
      }}
      onSubmit={event => {
        if (waiting) event.preventDefault()
        else form.onSubmit(event)
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-6"
    >
      {conflict && (
        <ConflictNotice
          differences={conflict.differences}
          onUseTheirs={() => leave(() => onUseTheirs?.(conflict.now))}
          onKeepMine={() => void run(async () => void ((await overwrite()) && leave(onSaved)))}
        />
      )}
      <PostFields {...{ field, initial, typed, pictures }} id={start?.id} />
      <Failure failure={failure} />
      <SaveBar
        label={typed.visible !== 'yes' ? 'Save draft' : start?.hiddenAt === null ? 'Save post' : 'Publish post'}
        busy={busy}
        waiting={waiting && 'Waiting for the picture…'}
        onCancel={() => leave(onCancel)}
      />
    </form>
  )
}
