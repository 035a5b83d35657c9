import * as z from 'zod/mini'
import { POST_LIMITS } from '../../admin/limits.ts'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import type { Done } from '../accounts.ts'
import { BlogPost } from '../content.ts'
import { Instant, Slug, requiredText } from '../values.ts'
import { PictureUse } from './products.ts'

export type AdminPost = z.infer<typeof AdminPost>
export const AdminPost = z.extend(BlogPost, {
  version: z.int(),
  hiddenAt: z.nullable(Instant)
})

export type PostSummary = z.infer<typeof PostSummary>
export const PostSummary = z.omit(AdminPost, { content: true })

const Content = requiredText(POST_LIMITS.content, ADMIN_MESSAGES.postContentRequired)

export type PostFields = z.infer<typeof PostFields>
export const PostFields = z.object({
  title: requiredText(POST_LIMITS.title, ADMIN_MESSAGES.postTitleRequired),
  author: requiredText(POST_LIMITS.author, ADMIN_MESSAGES.postAuthorRequired),
  excerpt: requiredText(POST_LIMITS.excerpt, ADMIN_MESSAGES.postExcerptRequired),
  /** Markdown. HTML in it is shown as text. */
  content: Content,
  picture: z.nullable(PictureUse),
  day: z.iso.date(ADMIN_MESSAGES.postDayInvalid),
  hidden: z.boolean()
})

export type PostDraft = z.infer<typeof PostDraft>
export const PostDraft = z.extend(PostFields, {
  /** Last part of the post's URL. If it is missing, the server derives it from the title. */
  slug: z.optional(
    z.string().check(z.refine(slug => Slug.safeParse(slug).success, { error: ADMIN_MESSAGES.postSlugInvalid }))
  ),
  key: z.uuid()
})

export type PostChange = z.infer<typeof PostChange>
/** Omitted fields stay unchanged. */
export const PostChange = z.extend(z.partial(PostFields), {
  /** The version that the change is based on. The call fails with EDIT_CONFLICT if there is a newer version. */
  version: z.int()
})

export const PreviewRequest = z.object({ content: z.string().check(z.maxLength(POST_LIMITS.content)) })
export const Preview = z.object({
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
