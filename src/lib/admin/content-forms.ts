import { isTypedName } from '../account/forms.ts'
import { COLLECTION_LIMITS, POST_LIMITS } from '../constants.ts'
import type { User } from '../contract/accounts.ts'
import type { PictureUse } from '../contract/catalog.ts'
import type { AdminCollection, CollectionFields } from '../contract/collections.ts'
import type { AdminPost, PostFields } from '../contract/content.ts'
import { plural, t, text } from '../contract/texts.ts'
import { PATHS } from '../paths.ts'
import { toDayInIndia } from '../time.ts'
import {
  field,
  hiddenField,
  type InputSpec,
  tamil,
  type Typed,
  withTranslations
} from './fields.ts'
import { findProblems, toPictureUse, toTyped, findDifference } from './field-values.ts'
import { createForm, formatValue, parseFields } from './record-form.ts'
import { ADMIN_MESSAGES } from './messages.ts'

const pictureField = (hint: string): InputSpec =>
  field('photo', 'picture', 'Picture', { hint, isOptional: true, isWide: true })
const formatPicture = ({ alt }: PictureUse) => alt

const POST_SPECS: readonly InputSpec[] = withTranslations([
  field('text', 'title', 'Title', {
    isTranslated: true,
    max: POST_LIMITS.title,
    problem: 'titleRequired',
    isWide: true
  }),
  field('area', 'excerpt', 'Summary', {
    isTranslated: true,
    hint: 'One or two sentences for the list of posts, search results and WhatsApp previews.',
    rows: 2,
    max: POST_LIMITS.excerpt,
    problem: 'postExcerptRequired',
    isWide: true
  }),
  field('markdown', 'content', 'Text', {
    isTranslated: true,
    max: POST_LIMITS.content,
    problem: 'postContentRequired',
    isWide: true
  }),
  pictureField(
    text(
      'Drop a picture here or paste it. JPEG, PNG, WebP or AVIF, at most 10 MB. ' +
        'Shown above the post and in the list.'
    )
  ),
  field('text', 'author', 'Author', {
    isTranslated: true,
    max: POST_LIMITS.author,
    problem: 'postAuthorRequired'
  }),
  field('date', 'day', 'Date', {
    hint: 'Shown on the post. Newest posts come first.',
    isPast: true,
    problem: 'postDayInvalid'
  }),
  field('slug', 'slug', 'Web address', {
    hint: 'Leave empty to use the title. Can’t be changed after saving.',
    prefix: `${PATHS.blogs}/`,
    max: POST_LIMITS.slug,
    isOptional: true
  }),
  hiddenField('Published', 'Draft')
])

export function toPostAuthor(user: Pick<User, 'name' | 'email'>, shopName: string): string {
  return isTypedName(user) ? user.name : shopName || user.name
}

export function createEmptyPost(author: string, now: number): Typed {
  return toTyped(POST_SPECS, { author, day: toDayInIndia(now), hidden: false })
}

export function toPostFields(post: AdminPost): PostFields {
  const { title, author, excerpt, content, picture, createdAt, hiddenAt, translations } = post
  return {
    title,
    author,
    excerpt,
    content: content.trim(),
    day: toDayInIndia(Date.parse(createdAt)),
    picture: picture ? toPictureUse(picture) : null,
    hidden: hiddenAt !== null,
    translations: translations ?? {}
  }
}

const countWords = (content: string) =>
  plural(content.split(/\s+/).filter(Boolean).length, '{count} word', '{count} words')

export const POST_FORM = createForm<AdminPost, PostFields>(POST_SPECS, {
  labels: { hidden: text('Draft') },
  format: (name, value, other) => {
    if (name !== 'content')
      return formatValue(value, name === 'picture' ? formatPicture : undefined)
    return other === undefined
      ? formatValue(value, countWords)
      : findDifference(String(value), String(other))
  },
  toFields: toPostFields,
  toTyped: post =>
    toTyped(POST_SPECS, { ...toPostFields(post), picture: post.picture, slug: post.id }),
  parse: (typed, before) => {
    const parsed = parseFields(POST_SPECS, typed, before) as PostFields & { slug: string }
    const { slug: _, ...fields } = parsed
    return fields
  },
  check: fields => ({
    ...findProblems(POST_SPECS, fields),
    ...(fields.day > toDayInIndia(Date.now()) && { day: ADMIN_MESSAGES.postDayInvalid })
  })
})

const COLLECTION_SPECS: readonly InputSpec[] = withTranslations([
  field('text', 'name', 'Name', {
    isTranslated: true,
    hint: 'Also used for the web address, which can’t be changed later.',
    max: COLLECTION_LIMITS.name,
    problem: 'nameRequired'
  }),
  {
    ...tamil('nameTamil', 'Tamil name', 'Name'),
    max: COLLECTION_LIMITS.name
  },
  field('area', 'description', 'Text', {
    isTranslated: true,
    hint: 'Shown at the top of its page.',
    max: COLLECTION_LIMITS.description,
    isOptional: true,
    isWide: true
  }),
  field('own', 'products', 'Products', { isWide: true }),
  pictureField(
    text(
      'Drop a picture here or paste it. A wide one looks best. ' +
        'Without one, the picture of the first product is shown.'
    )
  ),
  hiddenField('In the shop', 'Hidden')
])

export const EMPTY_COLLECTION: Typed = toTyped(COLLECTION_SPECS, { products: [], hidden: false })

export function toCollectionFields(collection: AdminCollection): CollectionFields {
  const { name, nameTamil, description, products, picture, hiddenAt, translations } = collection
  return {
    name,
    nameTamil,
    description,
    products,
    picture: picture ? toPictureUse(picture) : null,
    hidden: hiddenAt !== null,
    translations: translations ?? {}
  }
}

export const COLLECTION_FORM = createForm<AdminCollection, CollectionFields>(COLLECTION_SPECS, {
  labels: { position: text('Position') },
  formats: { picture: formatPicture },
  toFields: toCollectionFields,
  toTyped: collection =>
    toTyped(COLLECTION_SPECS, { ...toCollectionFields(collection), picture: collection.picture }),
  check: ({ products, ...fields }) => ({
    ...findProblems(COLLECTION_SPECS, fields),
    ...(products.length === 0 &&
      !fields.hidden && { products: t('Please choose products, or keep the collection hidden') })
  })
})
