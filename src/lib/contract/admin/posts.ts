import * as z from 'zod/mini'
import { POST_LIMITS } from '../../admin/limits.ts'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import type { Done } from '../accounts.ts'
import { BlogPost } from '../content.ts'
import { Instant, Slug, trimmed } from '../values.ts'
import { PictureUse } from './products.ts'

export type AdminPost = z.infer<typeof AdminPost>
export const AdminPost = z.extend(BlogPost, {
  /** Increases with each change. */
  version: z.int(),
  /** Set for drafts. */
  hiddenAt: z.nullable(Instant)
})

export type PostSummary = z.infer<typeof PostSummary>
export const PostSummary = z.omit(AdminPost, { content: true })

const Content = trimmed(POST_LIMITS.content, ADMIN_MESSAGES.postContentRequired)

export type PostFields = z.infer<typeof PostFields>
export const PostFields = z.object({
  title: trimmed(POST_LIMITS.title, ADMIN_MESSAGES.postTitleRequired),
  author: trimmed(POST_LIMITS.author, ADMIN_MESSAGES.postAuthorRequired),
  excerpt: trimmed(POST_LIMITS.excerpt, ADMIN_MESSAGES.postExcerptRequired),
  /** Markdown; HTML is shown as text. */
  content: Content,
  picture: z.nullable(PictureUse),
  /** In IST, not in the future. Posts are listed by this date, newest first. */
  day: z.iso.date(ADMIN_MESSAGES.postDayInvalid),
  hidden: z.boolean()
})

export type PostDraft = z.infer<typeof PostDraft>
export const PostDraft = z.extend(PostFields, {
  /** The last part of the URL, which never changes; derived from the title by default. */
  slug: z.optional(
    z.string().check(z.refine(slug => Slug.safeParse(slug).success, { error: ADMIN_MESSAGES.postSlugInvalid }))
  ),
  /** Idempotency key of the form. */
  key: z.uuid()
})

export type PostChange = z.infer<typeof PostChange>
/** Omitted fields stay unchanged. */
export const PostChange = z.extend(z.partial(PostFields), {
  /** The version that was edited; 409 EDIT_CONFLICT if there is a newer one. */
  version: z.int()
})

export const PreviewRequest = z.object({ content: z.string().check(z.maxLength(POST_LIMITS.content)) })
export const Preview = z.object({
  /** Sanitised, and identical to the published page. */
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
