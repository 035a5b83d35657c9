import type { Problems } from '../account-forms.ts'
import type { AdminPost, PostFields } from '../contract/admin/posts.ts'
import type { PictureUse } from '../contract/admin/products.ts'
import { dayInIndia } from '../time.ts'
import { ADMIN_MESSAGES } from './messages.ts'

/** In display order; named like the API fields, so that errors of the server find their field. */
export const POST_FORM_FIELDS = [
  'title',
  'excerpt',
  'content',
  'picture.alt',
  'author',
  'day',
  'slug',
  'visible'
] as const
export type PostFormField = (typeof POST_FORM_FIELDS)[number]
export type PostValues = Record<PostFormField, string>

export const POST_LABELS: Readonly<Record<keyof PostFields, string>> = {
  title: 'Title',
  author: 'Author',
  excerpt: 'Summary',
  content: 'Text',
  picture: 'Picture',
  day: 'Date',
  hidden: 'Draft'
}

export function fieldsOfPost({ title, author, excerpt, content, picture, createdAt, hiddenAt }: AdminPost): PostFields {
  return {
    ...{ title, author, excerpt, content: content.trim() },
    picture: picture ? { key: picture.key, alt: picture.alt } : null,
    day: dayInIndia(Date.parse(createdAt)),
    hidden: hiddenAt !== null
  }
}

/** `now` in ms since the epoch. */
export function emptyPost(author: string, now: number): PostValues {
  const day = dayInIndia(now)
  return { title: '', excerpt: '', content: '', 'picture.alt': '', author, day, slug: '', visible: 'yes' }
}

export function valuesOfPost(post: AdminPost): PostValues {
  const { title, excerpt, content, author, picture, day, hidden } = fieldsOfPost(post)
  return {
    ...{ title, excerpt, content, author, day },
    'picture.alt': picture?.alt ?? '',
    slug: post.id,
    visible: hidden ? 'no' : 'yes'
  }
}

/** The server checks again. `now` in ms since the epoch. */
export function postProblems(values: PostValues, hasPicture: boolean, now: number): Problems<PostFormField> {
  const isEmpty = (name: PostFormField): boolean => values[name].trim() === ''
  return {
    ...(isEmpty('title') && { title: ADMIN_MESSAGES.postTitleRequired }),
    ...(isEmpty('excerpt') && { excerpt: ADMIN_MESSAGES.postExcerptRequired }),
    ...(isEmpty('content') && { content: ADMIN_MESSAGES.postContentRequired }),
    ...(hasPicture && isEmpty('picture.alt') && { 'picture.alt': ADMIN_MESSAGES.pictureAltRequired }),
    ...(isEmpty('author') && { author: ADMIN_MESSAGES.postAuthorRequired }),
    ...(!(values.day !== '' && values.day <= dayInIndia(now)) && { day: ADMIN_MESSAGES.postDayInvalid })
  }
}

/** Expects values without problems. */
export function toPostFields(values: PostValues, picture: PictureUse | undefined): PostFields {
  const { title, author, excerpt, content, day, visible } = values
  return {
    ...{ title: title.trim(), author: author.trim(), excerpt: excerpt.trim(), content: content.trim(), day },
    picture: picture ? { key: picture.key, alt: picture.alt.trim() } : null,
    hidden: visible !== 'yes'
  }
}

/** `field` is the name in the API. */
export function formatPostField(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  if (field === 'hidden') return value === true ? 'yes' : 'no'
  if (field === 'picture') return (value as PictureUse).alt
  return field === 'content' ? wordCount(String(value)) : String(value)
}

/** A part of `text`, from its first difference to `other`. */
export function diffSnippet(text: string, other: string): string {
  let same = 0
  while (same < text.length && text[same] === other[same]) same++
  const start = Math.max(0, text.lastIndexOf(' ', same - SNIPPET_LEAD))
  const end = start + SNIPPET_LENGTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`
}

/** In characters; the lead is the shared text before the difference. */
const SNIPPET_LENGTH = 160
const SNIPPET_LEAD = 20

function wordCount(text: string): string {
  return `${text.split(/\s+/).filter(Boolean).length} words`
}
