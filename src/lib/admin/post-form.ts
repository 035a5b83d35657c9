import type { Problems } from '../account/forms.ts'
import type { AdminPost, PostFields } from '../contract/content.ts'
import type { PictureUse } from '../contract/catalog.ts'
import { toDayInIndia } from '../time.ts'
import { ADMIN_MESSAGES } from './messages.ts'

/** Fields in display order. The names equal those in the server's field errors. */
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
export type PostFormValues = Record<PostFormField, string>

export const POST_LABELS: Readonly<Record<keyof PostFields, string>> = {
  title: 'Title',
  author: 'Author',
  excerpt: 'Summary',
  content: 'Text',
  picture: 'Picture',
  day: 'Date',
  hidden: 'Draft'
}

export function extractPostFields({
  title,
  author,
  excerpt,
  content,
  picture,
  createdAt,
  hiddenAt
}: AdminPost): PostFields {
  return {
    title,
    author,
    excerpt,
    content: content.trim(),
    picture: picture ? { key: picture.key, alt: picture.alt } : null,
    day: toDayInIndia(Date.parse(createdAt)),
    hidden: hiddenAt !== null
  }
}

export function createEmptyPost(author: string, now: number): PostFormValues {
  const day = toDayInIndia(now)
  return { title: '', excerpt: '', content: '', 'picture.alt': '', author, day, slug: '', visible: 'yes' }
}

export function toPostFormValues(post: AdminPost): PostFormValues {
  const { title, excerpt, content, author, picture, day, hidden } = extractPostFields(post)
  return {
    title,
    excerpt,
    content,
    author,
    day,
    'picture.alt': picture?.alt ?? '',
    slug: post.id,
    visible: hidden ? 'no' : 'yes'
  }
}

export function validatePost(values: PostFormValues, hasPicture: boolean, now: number): Problems<PostFormField> {
  const isEmpty = (name: PostFormField): boolean => values[name].trim() === ''
  return {
    ...(isEmpty('title') && { title: ADMIN_MESSAGES.postTitleRequired }),
    ...(isEmpty('excerpt') && { excerpt: ADMIN_MESSAGES.postExcerptRequired }),
    ...(isEmpty('content') && { content: ADMIN_MESSAGES.postContentRequired }),
    ...(hasPicture && isEmpty('picture.alt') && { 'picture.alt': ADMIN_MESSAGES.pictureAltRequired }),
    ...(isEmpty('author') && { author: ADMIN_MESSAGES.postAuthorRequired }),
    ...(!(values.day !== '' && values.day <= toDayInIndia(now)) && { day: ADMIN_MESSAGES.postDayInvalid })
  }
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

export function formatPostField(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  if (field === 'hidden') return value === true ? 'yes' : 'no'
  if (field === 'picture') return (value as PictureUse).alt
  return field === 'content' ? formatWordCount(String(value)) : String(value)
}

/** Returns a short part of `text` around its first difference from `other`. */
export function findDifference(text: string, other: string): string {
  let sharedLength = 0
  while (sharedLength < text.length && text[sharedLength] === other[sharedLength]) sharedLength++
  const start = Math.max(0, text.lastIndexOf(' ', sharedLength - SHARED_CHARACTERS))
  const end = start + SNIPPET_LENGTH
  return `${start > 0 ? '…' : ''}${text.slice(start, end).trim()}${end < text.length ? '…' : ''}`
}

const SNIPPET_LENGTH = 160
/** Number of equal characters shown before the first difference. */
const SHARED_CHARACTERS = 20

function formatWordCount(text: string): string {
  return `${text.split(/\s+/).filter(Boolean).length} words`
}
