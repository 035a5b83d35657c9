import { useStore } from '@nanostores/react'
import { createEmptyPost, POST_FORM, toPostAuthor } from '#lib/admin/content-forms.ts'
import { lacksTexts } from '#lib/admin/field-values.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { ADMIN_MESSAGES, deletedText, postPublishedText } from '#lib/admin/messages.ts'
import { POST_LIMITS } from '#lib/constants.ts'
import type { AdminPost, PostSummary } from '#lib/contract/content.ts'
import { langOf, t, text } from '#lib/contract/texts.ts'
import type { Picture as PictureData } from '#lib/contract/values.ts'
import { paths } from '#lib/paths.ts'
import { posts, setPublished } from '#lib/stores/admin/records.ts'
import { $user } from '#lib/stores/session.ts'
import { notify } from '#lib/stores/toasts.ts'
import { formatDate } from '#lib/time.ts'
import { Picture } from '../../ui/Picture.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { Badge, type Column, PictureCell, SearchableTable } from '../ui/DataTable.tsx'
import { FormFields, MissingTexts } from '../ui/FormFields.tsx'
import { MarkdownField, Preview } from '../ui/MarkdownField.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import {
  DeleteButton,
  RecordEditor,
  RecordPage,
  RowActions,
  ToggleButton
} from '../ui/RecordPage.tsx'
import { type OpenRecord, useRecordForm } from '../ui/use-record-form.ts'

const DRAFT_SAVED = text('Saved as a draft. It is not on the website.')

export function PostsPage({ shopName }: { shopName: string }) {
  return (
    <RecordPage
      section="blog"
      noun="post"
      addLabel={t('Write post')}
      store={posts}
      editor={id => (
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
              {t(
                'This can’t be undone. ' +
                  'To keep it but take it off the website, unpublish it instead.'
              )}
            </DeleteButton>
          )}
        >
          {record => <PostForm shopName={shopName} {...record} />}
        </RecordEditor>
      )}
    >
      {list => (
        <>
          <PostList list={list} />
          <MissingTexts specs={POST_FORM.specs} items={list} />
        </>
      )}
    </RecordPage>
  )
}

const FILTERS = [
  { label: text('All posts'), matches: () => true },
  { label: text('Published'), matches: ({ hiddenAt }: PostSummary) => hiddenAt === null },
  { label: text('Drafts'), matches: ({ hiddenAt }: PostSummary) => hiddenAt !== null },
  {
    label: text('Not translated'),
    matches: (post: PostSummary) => lacksTexts(POST_FORM.specs, post)
  }
] as const

const COLUMNS: readonly Column<PostSummary>[] = [
  {
    label: text('Post'),
    cell: ({ id, title, excerpt, picture, image }) => (
      <PictureCell query={{ post: id }} picture={picture} image={image} isWide title={title}>
        <span lang={langOf(excerpt)} className="line-clamp-2 text-sm font-normal text-ink/70">
          {excerpt}
        </span>
      </PictureCell>
    )
  },
  {
    label: text('Status'),
    cell: ({ hiddenAt }) => (hiddenAt === null ? t('Published') : <Badge text={t('Draft')} />)
  },
  {
    label: text('Date'),
    cell: ({ createdAt, author }) => (
      <>
        <span className="block xl:whitespace-nowrap">{formatDate(createdAt)}</span>
        <span className="hidden text-sm text-ink/70 xl:block">{author}</span>
      </>
    )
  }
]

function PostList({ list }: { list: readonly PostSummary[] }) {
  if (list.length === 0) return <EmptyState text={t('No posts yet.')} />
  return (
    <SearchableTable
      caption={t('Posts')}
      rows={list}
      columns={COLUMNS}
      getTexts={({ id, title, author, excerpt }) => [id, title, author, excerpt]}
      filters={FILTERS}
      noun="post"
      actions={post => {
        const { id, title, hiddenAt } = post
        return (
          <RowActions query={{ post: id }} name={title}>
            <ToggleButton
              label={t(hiddenAt === null ? 'Unpublish' : 'Publish')}
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

function PostForm({ shopName, ...record }: OpenRecord<AdminPost> & { shopName: string }) {
  const user = useStore($user)
  const author = user ? toPostAuthor(user, shopName) : shopName
  const form = useRecordForm({
    ...record,
    form: POST_FORM,
    empty: createEmptyPost(author, Date.now()),
    save: ({ id, version }, edits) => posts.change(id, { ...edits, version }),
    name: ({ title }) => title,
    savedText: ({ hidden }) => (hidden ? t(DRAFT_SAVED) : ADMIN_MESSAGES.saved),
    create: async (fields, key, values) => {
      const slug = String(values['slug']).trim()
      await posts.create({ ...fields, ...(slug !== '' && { slug }), key })
      notify(
        fields.hidden
          ? { title: fields.title, text: t(DRAFT_SAVED) }
          : { title: postPublishedText(fields.title), text: ADMIN_MESSAGES.websiteUpdates }
      )
    }
  })
  const { typed, change, field } = form
  const publishLabel = record.item?.hiddenAt === null ? t('Save post') : t('Publish post')
  const address = record.item && (
    <div>
      <p className="mb-1 font-semibold">{t('Web address')}</p>
      <p className="break-all py-2">{paths.blog(record.item.id)}</p>
    </div>
  )
  return (
    <RecordForm
      label={t('Post')}
      form={form}
      saveLabel={typed['hidden'] === 'true' ? t('Save draft') : publishLabel}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <FormFields
          specs={POST_FORM.specs}
          form={form}
          own={{
            content: (
              <MarkdownField
                state={field('content')}
                label={t('Text')}
                maxLength={POST_LIMITS.content}
                value={String(typed['content'])}
                onChange={({ target }) => change('content', target.value)}
                preview={isSideBySide => <PostPreview typed={typed} isSideBySide={isSideBySide} />}
              />
            ),
            ...(address && { slug: address })
          }}
        />
      </div>
    </RecordForm>
  )
}

function PostPreview({ typed, isSideBySide }: { typed: Typed; isSideBySide: boolean }) {
  const picture = typed['picture'] as PictureData | null
  type Texts = Record<'title' | 'author' | 'day' | 'content', string>
  const { title, author, day, content } = typed as Texts
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
            {author} · {/^\d{4}-\d\d-\d\d$/.test(day) && formatDate(day)}
          </p>
          {picture && (
            <div className="my-6">
              <Picture
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
