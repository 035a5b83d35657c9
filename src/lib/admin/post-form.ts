import { isTypedName } from '../account/forms.ts'
import { POST_LIMITS } from '../constants.ts'
import type { User } from '../contract/accounts.ts'
import type { PictureUse } from '../contract/catalog.ts'
import type { AdminPost, PostFields } from '../contract/content.ts'
import type { Picture } from '../contract/values.ts'
import { paths } from '../paths.ts'
import { toDayInIndia } from '../time.ts'
import { field, hiddenField, type InputSpec, type RecordForm, type Typed } from './fields.ts'
import {
  findDifference,
  findProblems,
  labelsOf,
  parseTyped,
  toPictureUse,
  toTyped,
  fieldFormatter
} from './field-values.ts'
import { ADMIN_MESSAGES } from './messages.ts'

const SPECS: readonly InputSpec[] = [
  field('text', 'title', 'Title', {
    max: POST_LIMITS.title,
    problem: ADMIN_MESSAGES.titleRequired,
    isWide: true
  }),
  field('area', 'excerpt', 'Summary', {
    hint: 'One-line summary for the blog list, Google and WhatsApp previews.',
    rows: 2,
    max: POST_LIMITS.excerpt,
    problem: ADMIN_MESSAGES.postExcerptRequired,
    isWide: true
  }),
  field('markdown', 'content', 'Text', {
    max: POST_LIMITS.content,
    problem: ADMIN_MESSAGES.postContentRequired,
    isWide: true
  }),
  field('photo', 'picture', 'Picture', {
    hint:
      'Drop a picture here or paste it. JPEG, PNG, WebP or AVIF, at most 10 MB. Shown above the ' +
      'post and in the list.',
    isOptional: true,
    isWide: true
  }),
  field('text', 'author', 'Author', {
    max: POST_LIMITS.author,
    problem: ADMIN_MESSAGES.postAuthorRequired
  }),
  field('date', 'day', 'Date', {
    hint: 'Shown on the post. Newest posts come first.',
    isPast: true,

    problem: ADMIN_MESSAGES.postDayInvalid
  }),
  field('slug', 'slug', 'Web address', {
    hint: 'Leave empty to use the title. Can’t be changed after saving.',
    prefix: `${paths.blogs}/`,
    max: POST_LIMITS.slug,
    isOptional: true
  }),
  hiddenField('Published', 'Draft')
]

/** A name that nobody has typed does not sign a post. */
export function toPostAuthor(user: Pick<User, 'name' | 'email'>, shopName: string): string {
  return isTypedName(user) ? user.name : shopName || user.name
}

export function createEmptyPost(author: string, now: number): Typed {
  const fields = { author, day: toDayInIndia(now), hidden: false }
  return { ...toTyped(SPECS, fields), picture: null }
}

export function toPostFields(post: AdminPost): PostFields {
  const { title, author, excerpt, content, picture, createdAt, hiddenAt } = post
  return {
    title,
    author,
    excerpt,
    content: content.trim(),
    day: toDayInIndia(Date.parse(createdAt)),
    picture: picture ? toPictureUse(picture) : null,
    hidden: hiddenAt !== null
  }
}

const formatPostField = fieldFormatter({
  picture: ({ alt }: PictureUse) => alt,
  content: (content: string) => `${content.split(/\s+/).filter(Boolean).length} words`
})

export const POST_FORM: RecordForm<AdminPost, PostFields> = {
  specs: SPECS,
  labels: { ...labelsOf(SPECS), hidden: 'Draft' },
  format: (name, value, other) =>
    name === 'content' && other !== undefined
      ? findDifference(String(value), String(other))
      : formatPostField(name, value),
  toFields: toPostFields,
  toTyped: post => ({
    ...toTyped(SPECS, { ...toPostFields(post), slug: post.id }),
    picture: post.picture ?? null
  }),
  parse: (typed, before) => {
    const picture = typed['picture'] as Picture | null
    const { slug: _, ...fields } = parseTyped(SPECS, typed, before)
    return { ...(fields as unknown as PostFields), picture: picture ? toPictureUse(picture) : null }
  },
  check: ({ picture, ...fields }) => ({
    ...findProblems(SPECS, fields),
    ...(picture?.alt === '' && { 'picture.alt': ADMIN_MESSAGES.pictureAltRequired }),
    ...(fields.day > toDayInIndia(Date.now()) && { day: ADMIN_MESSAGES.postDayInvalid })
  })
}
