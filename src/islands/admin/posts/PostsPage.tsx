import { posts, setPublished } from '#lib/stores/admin/records.ts'
import { ADMIN_MESSAGES, deletedText, postPublishedText } from '#lib/admin/messages.ts'
import { createEmptyPost, POST_FORM, toPostAuthor } from '#lib/admin/content-forms.ts'
import type { AdminPost, PostSummary } from '#lib/contract/content.ts'
import { paths } from '#lib/paths.ts'
import { formatDate, toStartOfDay } from '#lib/time.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { POST_LIMITS } from '#lib/constants.ts'
import type { Picture } from '#lib/contract/values.ts'
import { notify } from '#lib/stores/toasts.ts'
import { EmptyState } from '../../ui/States.tsx'
import { toQuery } from '../../ui/history.ts'
import { Badge, type Column, PictureCell, SearchableTable } from '../ui/DataTable.tsx'
import { RecordEditor } from '../ui/RecordEditor.tsx'
import { DeleteButton, RecordPage, RowActions, ToggleButton } from '../ui/RecordPage.tsx'
import { ProductPicture } from '../../catalog/ProductPicture.tsx'
import { FormFields } from '../ui/FormFields.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import { useRecordForm } from '../ui/use-record-form.ts'
import { MarkdownField, Preview } from './MarkdownField.tsx'
import { PhotoField, usePhoto } from '../ui/PictureDrop.tsx'

const DRAFT_SAVED = 'Saved as a draft. It is not on the website.'

export function PostsPage({ shopName }: { shopName: string }) {
  return (
    <RecordPage
      section="blog"
      noun="post"
      addLabel="Write post"
      store={posts}
      editor={(id, user) => <PostEditor key={id} id={id} author={toPostAuthor(user, shopName)} />}
    >
      {list => <PostList list={list} />}
    </RecordPage>
  )
}

function PostEditor({ id, author }: { id: string; author: string }) {
  return (
    <RecordEditor
      id={id}
      kind="post"
      form={POST_FORM}
      read={posts.read}
      getTitle={({ title }) => title}
      getPath={({ hiddenAt }) => hiddenAt === null && paths.blog(id)}
      actions={post => (
        <DeleteButton
          noun="post"
          name={`“${post.title}”`}
          isPublic={post.hiddenAt === null}
          remove={async () => {
            await posts.remove(post)
            return deletedText(post.title)
          }}
        >
          This can’t be undone. To keep it but take it off the website, unpublish it instead.
        </DeleteButton>
      )}
    >
      {(post, reset) => <PostForm id={id} original={post} author={author} onReset={reset} />}
    </RecordEditor>
  )
}

const FILTERS = [
  { label: 'All posts', matches: () => true },
  { label: 'Published', matches: ({ hiddenAt }: PostSummary) => hiddenAt === null },
  { label: 'Drafts', matches: ({ hiddenAt }: PostSummary) => hiddenAt !== null }
] as const

const COLUMNS: readonly Column<PostSummary>[] = [
  { label: 'Post', cell: post => <TitleCell post={post} /> },
  {
    label: 'Status',
    cell: ({ hiddenAt }) => (hiddenAt === null ? 'Published' : <Badge text="Draft" />)
  },
  {
    label: 'Date',
    cell: ({ createdAt, author }) => (
      <>
        <span className="block xl:whitespace-nowrap">{formatDate(createdAt)}</span>
        <span className="hidden text-sm text-ink/70 xl:block">{author}</span>
      </>
    )
  }
]

function PostList({ list }: { list: readonly PostSummary[] }) {
  if (list.length === 0) return <EmptyState text="No posts yet." />
  return (
    <SearchableTable
      caption="Posts"
      rows={list}
      columns={COLUMNS}
      getTexts={({ id, title, author, excerpt }) => [id, title, author, excerpt]}
      filters={FILTERS}
      noun="post"
      noneText="No posts found."
      actions={post => {
        const { id, title, hiddenAt } = post
        return (
          <RowActions query={toQuery({ post: id })} name={title}>
            <ToggleButton
              label={hiddenAt === null ? 'Unpublish' : 'Publish'}
              id={id}
              name={title}
              action={() => setPublished(post, hiddenAt !== null)}
            />
          </RowActions>
        )
      }}
    />
  )
}

function TitleCell({ post: { id, title, excerpt, picture, image } }: { post: PostSummary }) {
  return (
    <PictureCell
      query={toQuery({ post: id })}
      picture={picture}
      image={image}
      shape="wide"
      title={title}
    >
      <span className="line-clamp-2 text-sm font-normal text-ink/70">{excerpt}</span>
    </PictureCell>
  )
}

interface PostFormProps {
  id: string
  original: AdminPost | undefined
  author: string
  onReset: (post?: AdminPost) => void
}

function PostForm({ id, original, author, onReset }: PostFormProps) {
  const form = useRecordForm({
    form: POST_FORM,
    draftName: `post ${id}`,
    item: original,
    empty: createEmptyPost(author, Date.now()),
    read: post => posts.read(post.id),
    save: ({ id: saved, version }, edits) => posts.change(saved, { ...edits, version }),
    savedMessage: ({ title, hidden }) => ({
      title,
      text: hidden ? DRAFT_SAVED : ADMIN_MESSAGES.saved
    }),
    create: async (fields, key, values) => {
      const slug = String(values['slug']).trim()
      await posts.create({ ...fields, ...(slug !== '' && { slug }), key })
      notify(
        fields.hidden
          ? { title: fields.title, text: DRAFT_SAVED }
          : { title: postPublishedText(fields.title), text: ADMIN_MESSAGES.websiteUpdates }
      )
    },
    onReset
  })
  const photo = usePhoto(form, 'title')
  const { typed, change, field } = form
  const publishLabel = original?.hiddenAt === null ? 'Save post' : 'Publish post'
  const address = original && (
    <div>
      <p className="mb-1 font-semibold">Web address</p>
      <p className="break-all py-2">{paths.blog(original.id)}</p>
    </div>
  )
  return (
    <RecordForm
      label="Post"
      form={form}
      saveLabel={typed['hidden'] === 'true' ? 'Save draft' : publishLabel}
      waitingLabel={photo.isUploading && 'Waiting for the picture…'}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <FormFields
          specs={POST_FORM.specs}
          form={form}
          own={{
            content: (
              <MarkdownField
                state={field('content')}
                label="Text"
                maxLength={POST_LIMITS.content}
                value={String(typed['content'])}
                onChange={({ target }) => change('content', target.value)}
                preview={isSideBySide => <PostPreview typed={typed} isSideBySide={isSideBySide} />}
              />
            ),
            picture: <PhotoField form={form} photo={photo} specs={POST_FORM.specs} />,
            ...(address && { slug: address })
          }}
        />
      </div>
    </RecordForm>
  )
}

interface PostPreviewProps {
  typed: Typed
  isSideBySide: boolean
}

function PostPreview({ typed, isSideBySide }: PostPreviewProps) {
  const [title, author, day, content] = ['title', 'author', 'day', 'content'].map(name =>
    String(typed[name])
  ) as [string, string, string, string]
  const picture = typed['picture'] as Picture | null
  const isEmpty = `${title}${content}`.trim() === '' && !picture
  return (
    <Preview content={content} call="POST /admin/posts/preview" isSideBySide={isSideBySide}>
      {!isEmpty && (
        <>
          <p
            className={
              'break-words font-serif text-2xl font-semibold ' +
              `${isSideBySide ? '' : 'sm:text-3xl'}`
            }
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
