import { isBlank, isTypedName, toProblems, type Problems } from '../account/forms.ts'
import type { User } from '../contract/accounts.ts'
import type { PictureUse } from '../contract/catalog.ts'
import type { AdminPost, PostFields } from '../contract/content.ts'
import { toDayInIndia } from '../time.ts'
import { fieldFormatter } from './form.ts'
import { ADMIN_MESSAGES } from './messages.ts'

/** In display order. The names equal those in the server's field errors. */
const EMPTY_POST = {
  title: '',
  excerpt: '',
  content: '',
  'picture.alt': '',
  author: '',
  day: '',
  slug: '',
  visible: 'yes'
}
type PostFormField = keyof typeof EMPTY_POST
export type PostFormValues = Record<PostFormField, string>
export const POST_FORM_FIELDS = Object.keys(EMPTY_POST) as PostFormField[]

export const POST_LABELS: Readonly<Record<keyof PostFields, string>> = {
  title: 'Title',
  author: 'Author',
  excerpt: 'Summary',
  content: 'Text',
  picture: 'Picture',
  day: 'Date',
  hidden: 'Draft'
}

/** A name that nobody has typed does not sign a post. */
export function toPostAuthor(user: Pick<User, 'name' | 'email'>, shopName: string): string {
  return isTypedName(user) ? user.name : shopName || user.name
}

export function createEmptyPost(author: string, now: number): PostFormValues {
  return { ...EMPTY_POST, author, day: toDayInIndia(now) }
}

export function toPostFormValues(post: AdminPost): PostFormValues {
  const { title, excerpt, content, author, picture } = post
  return {
    title,
    excerpt,
    content: content.trim(),
    author,
    'picture.alt': picture?.alt ?? '',
    day: toDayInIndia(Date.parse(post.createdAt)),
    slug: post.id,
    visible: post.hiddenAt === null ? 'yes' : 'no'
  }
}

export function extractPostFields(post: AdminPost): PostFields {
  return parsePostForm(toPostFormValues(post), post.picture)
}

export function validatePost(
  values: PostFormValues,
  hasPicture: boolean,
  now: number
): Problems<PostFormField> {
  return toProblems({
    title: isBlank(values.title) && ADMIN_MESSAGES.titleRequired,
    excerpt: isBlank(values.excerpt) && ADMIN_MESSAGES.postExcerptRequired,
    content: isBlank(values.content) && ADMIN_MESSAGES.postContentRequired,
    'picture.alt':
      hasPicture && isBlank(values['picture.alt']) && ADMIN_MESSAGES.pictureAltRequired,
    author: isBlank(values.author) && ADMIN_MESSAGES.postAuthorRequired,
    day: !(values.day !== '' && values.day <= toDayInIndia(now)) && ADMIN_MESSAGES.postDayInvalid
  })
}

export function parsePostForm(values: PostFormValues, picture: PictureUse | undefined): PostFields {
  const { title, author, excerpt, content, day, visible } = values
  return {
    title: title.trim(),
    author: author.trim(),
    excerpt: excerpt.trim(),
    content: content.trim(),
    day,
    picture: picture ? { key: picture.key, alt: picture.alt.trim() } : null,
    hidden: visible !== 'yes'
  }
}

export const formatPostField = fieldFormatter({
  picture: ({ alt }: PictureUse) => alt,
  content: (content: string) => `${content.split(/\s+/).filter(Boolean).length} words`
})

const SNIPPET_LENGTH = 160
/** Number of equal characters shown before the first difference. */
const SHARED_CHARACTERS = 20

/** Returns a short part of `text` around its first difference from `other`. */
export function findDifference(text: string, other: string): string {
  let sharedLength = 0
  while (sharedLength < text.length && text[sharedLength] === other[sharedLength]) sharedLength++
  const start = Math.max(0, text.lastIndexOf(' ', sharedLength - SHARED_CHARACTERS))
  const end = start + SNIPPET_LENGTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`
}
