import * as z from 'zod/mini'
import { POST_LIMITS } from '../../admin/limits.ts'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import type { Done } from '../accounts.ts'
import { BlogPost } from '../content.ts'
import { Instant, Slug, trimmed } from '../values.ts'
import { PictureUse } from './products.ts'

export type AdminPost = z.infer<typeof AdminPost>
/** A post as the owner sees it. */
export const AdminPost = z.extend(BlogPost, {
  /** Rises with each change. */
  version: z.int(),
  /** Since when it is a draft, which visitors don't find. */
  hiddenAt: z.nullable(Instant)
})

export type PostSummary = z.infer<typeof PostSummary>
/** A post without its text: what the list shows. */
export const PostSummary = z.omit(AdminPost, { content: true })

const Content = trimmed(POST_LIMITS.content, ADMIN_MESSAGES.postContentRequired)

export type PostFields = z.infer<typeof PostFields>
/** What the owner types of a post. */
export const PostFields = z.object({
  title: trimmed(POST_LIMITS.title, ADMIN_MESSAGES.postTitleRequired),
  author: trimmed(POST_LIMITS.author, ADMIN_MESSAGES.postAuthorRequired),
  excerpt: trimmed(POST_LIMITS.excerpt, ADMIN_MESSAGES.postExcerptRequired),
  /** Markdown; HTML in it means nothing. */
  content: Content,
  picture: z.nullable(PictureUse),
  /** In India, today at the latest: posts stand in this order, the newest first. */
  day: z.iso.date(ADMIN_MESSAGES.postDayInvalid),
  hidden: z.boolean()
})

export type PostDraft = z.infer<typeof PostDraft>
export const PostDraft = z.extend(PostFields, {
  /** The end of its address, which it keeps; made of the title unless it is named. */
  slug: z.optional(
    z.string().check(z.refine(slug => Slug.safeParse(slug).success, { error: ADMIN_MESSAGES.postSlugInvalid }))
  ),
  /** Of the form: sent again with the same key, it makes no second post. */
  key: z.uuid()
})

export type PostChange = z.infer<typeof PostChange>
/** What is not sent stays as it is. */
export const PostChange = z.extend(z.partial(PostFields), {
  /** From which the change starts; an older one is refused with EDIT_CONFLICT. */
  version: z.int()
})

export const PreviewRequest = z.object({ content: z.string().check(z.maxLength(POST_LIMITS.content)) })
export const Preview = z.object({
  /** Safe to put into a page, and the same as the published page has it. */
  html: z.string()
})

interface PostParams {
  id: string
}

export interface AdminPostsApi {
  'GET /admin/posts': { reply: PostSummary[] }
  'GET /admin/posts/{id}': { params: PostParams; reply: AdminPost }
  'POST /admin/posts': { body: PostDraft; reply: AdminPost }
  'PATCH /admin/posts/{id}': { params: PostParams; body: PostChange; reply: AdminPost }
  'DELETE /admin/posts/{id}': { params: PostParams; query: { version: string }; reply: Done }
  'POST /admin/posts/preview': { body: z.infer<typeof PreviewRequest>; reply: z.infer<typeof Preview> }
}
