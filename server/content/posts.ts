import { t } from '#lib/contract/texts.ts'
import * as z from 'zod/mini'
import type { UpdateObject } from 'kysely'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { ADMIN_MESSAGES, deletedText } from '#lib/admin/messages.ts'
import { toPostFields } from '#lib/admin/content-forms.ts'
import {
  AdminPost,
  BlogPost,
  PostChange,
  PostDraft,
  type PostFields,
  PostSummary,
  RenderedText,
  PreviewRequest,
  SiteContent
} from '#lib/contract/content.ts'
import { toFallbackFile } from '#lib/images.ts'
import { type IsoTime, toDayInIndia, toStartOfDay } from '#lib/time.ts'
import { POST_LIMITS } from '#lib/constants.ts'
import { isShopPage } from '#lib/paths.ts'
import {
  type Edit,
  findFreeId,
  Records,
  recordRoutes,
  removalRoute,
  toTranslations
} from '../accounts/records.ts'
import { hasPicture, JOINED_COLUMNS, toPicture } from '../catalog/pictures.ts'
import { listCollections } from '../catalog/collections.ts'
import { listProductIds } from '../catalog/read-products.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import { listIdsByPrefix } from '../platform/db/search.ts'
import type { Db, PostRow, Tables, Trx } from '../platform/db/tables.ts'
import { invalidField, route } from '../platform/http/validate.ts'
import { renderText } from '../settings/checks.ts'

export const posts = new Records<AdminPost, PostFields>({
  kind: 'post',
  table: 'posts',
  notFound: 'POST_NOT_FOUND',
  shownAction: 'published',
  lock: trx => raiseCounter(trx, 'posts'),
  find: findPost,
  fieldsOf: toPostFields,
  save: async (trx, { at }, { id, hiddenAt }, changed) => {
    await trx
      .updateTable('posts')
      .set(await toColumns(trx, changed, at))
      .set(row => ({ version: row('version', '+', 1) }))
      .where('id', '=', id)
      .execute()
    if (hiddenAt === null || changed.hidden === false) await raiseCounter(trx, 'catalog')
  },
  removed: async (trx, { hiddenAt }) => {
    if (hiddenAt === null) await raiseCounter(trx, 'catalog')
  }
})

async function insertPost(trx: Trx, { at }: Edit, { key, slug, ...fields }: PostDraft) {
  const id = slug ?? (await findFreeId(trx, 'posts', fields.title))
  if (slug !== undefined && (await listIdsByPrefix(trx, 'posts', slug)).has(slug))
    throw invalidField('slug', t('Another post already uses this address'))
  const values = { id, creation_key: key }
  const columns = (await toColumns(trx, fields, at)) as Omit<PostRow, keyof typeof values>
  await trx
    .insertInto('posts')
    .values({ ...columns, ...values })
    .execute()
  if (!fields.hidden) await raiseCounter(trx, 'catalog')
  return id
}

/** Kysely leaves out columns whose value is undefined. */
async function toColumns(
  trx: Trx,
  fields: Partial<PostFields>,
  at: IsoTime
): Promise<UpdateObject<Tables, 'posts'>> {
  const { title, author, excerpt, content, picture, day, hidden, translations } = fields
  if (picture && !(await hasPicture(trx, picture.key)))
    throw invalidField('picture', ADMIN_MESSAGES.pictureUnknown)
  return {
    title,
    author,
    excerpt,
    content,
    translations: translations && JSON.stringify(translations),
    ...(day !== undefined && { created_at: toInstant(day, at) }),
    ...(picture !== undefined && {
      picture_key: picture?.key ?? null,
      picture_alt: picture?.alt ?? null
    }),
    ...(hidden !== undefined && { hidden_at: hidden ? at : null })
  }
}

/** Posts of today are sorted by their time of creation. */
function toInstant(day: string, at: string) {
  const today = toDayInIndia(Date.parse(at))
  if (day > today) throw invalidField('day', ADMIN_MESSAGES.postDayInvalid)
  return day === today ? at : toStartOfDay(day)
}

function selectEntries(db: Db) {
  return db
    .selectFrom('posts')
    .leftJoin('pictures', 'pictures.key', 'posts.picture_key')
    .select(['id', 'title', 'author', 'excerpt', 'picture_key', 'picture_alt'])
    .select(['created_at', 'version', 'hidden_at', 'translations'])
    .select(JOINED_COLUMNS)
    .orderBy('created_at', 'desc')
    .orderBy('id')
}

async function findPost(db: Db, id: string): Promise<AdminPost | undefined> {
  const row = await selectEntries(db).select('content').where('id', '=', id).executeTakeFirst()
  return row && { ...toSummary(row), content: row.content }
}

export async function listPosts(db: Db): Promise<BlogPost[]> {
  const visible = selectEntries(db).select('content').where('hidden_at', 'is', null)
  return (await visible.execute()).map(row => ({ ...toEntry(row), content: row.content }))
}

type EntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number]

function toEntry(row: EntryRow): Omit<BlogPost, 'content'> {
  const own = row.picture_alt === null ? {} : { alt: row.picture_alt, alt_translations: '{}' }
  const picture = toPicture({ ...row, ...own })
  return {
    _id: row.id,
    id: row.id,
    title: row.title,
    author: row.author,
    excerpt: row.excerpt,
    image: picture ? toFallbackFile(picture) : '',
    ...(picture && { picture }),
    createdAt: row.created_at,
    ...toTranslations<BlogPost>(row)
  }
}

function toSummary(row: EntryRow): PostSummary {
  return { ...toEntry(row), version: row.version, hiddenAt: row.hidden_at }
}

/** In bytes: a character takes at most 6 bytes as escaped JSON. */
const bodyLimit = (POST_LIMITS.content + 5000) * 6

export const postRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/posts',
    route('List all posts and drafts, newest first (without content)', z.array(PostSummary)),
    async () => (await selectEntries(app.database.kysely).execute()).map(toSummary)
  )
  recordRoutes(app, {
    noun: 'post',
    records: posts,
    bodyLimit,
    item: AdminPost,
    draft: PostDraft,
    change: PostChange,
    create: async (editor, draft) => {
      await renderText(draft.content)
      return posts.create(app, editor, draft, insertPost)
    },
    edit: async (editor, id, change) => {
      if (change.content !== undefined) await renderText(change.content)
      return posts.change(app, editor, id, change)
    }
  })
  removalRoute(app, 'post', async (editor, id, version) => {
    const { title } = await posts.remove(app, editor, id, version)
    return deletedText(title)
  })

  app.post(
    '/posts/preview',
    {
      bodyLimit,
      ...route('Render Markdown as sanitised HTML', RenderedText, { body: PreviewRequest })
    },
    async request => {
      const db = app.database.kysely
      const visible = await db
        .selectFrom('posts')
        .select('id')
        .where('hidden_at', 'is', null)
        .execute()
      const pages = {
        collections: new Set((await listCollections(db)).map(({ id }) => id)),
        products: new Set(await listProductIds(db)),
        posts: new Set(visible.map(({ id }) => id))
      }
      return { html: await renderText(request.body.content, address => isShopPage(address, pages)) }
    }
  )
}

export const contentRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/blog', route('List blog posts, newest first', z.array(BlogPost)), (request, reply) =>
    app.publicReplies.send({ request, reply }, 'blog', data => data.posts())
  )

  app.get(
    '/site-content',
    route('Read the content of all pages at one moment', SiteContent),
    (request, reply) =>
      app.publicReplies.send(
        { request, reply },
        'site-content',
        async data => ({
          ...(await data.siteContent()),
          checkoutUrl: app.config.provider.checkoutUrl
        }),
        { isPlain: true }
      )
  )
}
