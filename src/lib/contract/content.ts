import * as z from 'zod/mini'
import {
  CONTACT_LIMITS,
  MAX_MISSED_SEARCH,
  MESSAGE_FILTERS,
  PHONE_PATTERN,
  POST_LIMITS
} from '../constants.ts'
import type { Done } from './accounts.ts'
import { PictureUse, Product, SitePicture } from './catalog.ts'
import { Collection } from './collections.ts'
import { DiscountedProduct } from './promotions.ts'
import { ShopSettings } from './settings.ts'
import {
  emailAddress,
  Instant,
  LanguageCode,
  PageNumber,
  Picture,
  requiredText,
  SearchText,
  Slug,
  plainText,
  type QueryStrings,
  requiredLine,
  type ById,
  type Removal,
  limitedText,
  translationsOf
} from './values.ts'
import { FIELD_TEXTS, toPhoneText, toSearchText } from './formats.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'
import { text } from './texts.ts'

const postTexts = {
  title: requiredLine(POST_LIMITS.title, ADMIN_TEXTS.titleRequired),
  excerpt: requiredText(POST_LIMITS.excerpt, ADMIN_TEXTS.postExcerptRequired),
  content: requiredText(POST_LIMITS.content, ADMIN_TEXTS.postContentRequired)
}
const author = requiredLine(POST_LIMITS.author, ADMIN_TEXTS.postAuthorRequired)
const translations = translationsOf({ ...postTexts, author })

export type BlogPost = z.infer<typeof BlogPost>
export const BlogPost = z.object({
  _id: z.string(),
  id: z.string(),
  title: z.string(),
  author: z.string(),
  excerpt: z.string(),
  content: z.string(),
  image: z.string(),
  picture: z.optional(Picture),
  createdAt: Instant,
  translations
})

/** Read at one moment. `stock` only tells the stock level. */
export type SiteContent = z.infer<typeof SiteContent>
export const SiteContent = z.object({
  products: z.array(Product),
  collections: z.array(Collection),
  deals: z.array(DiscountedProduct),
  pictures: z.array(SitePicture),
  posts: z.array(BlogPost),
  shop: ShopSettings,
  /** Ids of the products sold most often, best first. Empty until something is sold. */
  bestsellers: z.array(z.string()),
  checkoutUrl: z.string()
})

export type ContactMessage = z.infer<typeof ContactMessage>
export const ContactMessage = z.object({
  name: requiredLine(CONTACT_LIMITS.name, FIELD_TEXTS.contactNameRequired),
  email: emailAddress(FIELD_TEXTS.contactEmailRequired),
  phone: z._default(
    plainText().check(
      z.overwrite(toPhoneText),
      z.regex(new RegExp(`^(${PHONE_PATTERN})?$`), FIELD_TEXTS.contactPhoneInvalid)
    ),
    ''
  ),
  message: requiredText(CONTACT_LIMITS.message, FIELD_TEXTS.contactMessageRequired),
  /** Honeypot: a filled one gets a normal reply, but is not stored. */
  website: z.optional(plainText())
})

export type ContactReceipt = z.infer<typeof ContactReceipt>
export const ContactReceipt = z.object({ message: z.string(), reference: z.string() })

export type AdminPost = z.infer<typeof AdminPost>
export const AdminPost = z.extend(BlogPost, { version: z.int(), hiddenAt: z.nullable(Instant) })

export type PostSummary = z.infer<typeof PostSummary>
export const PostSummary = z.omit(AdminPost, { content: true })

export type PostFields = z.infer<typeof PostFields>
export const PostFields = z.object({
  ...postTexts,
  author,
  picture: z.nullable(PictureUse),
  day: z.iso.date(ADMIN_TEXTS.postDayInvalid),
  hidden: z.boolean(),
  translations
})

export type PostDraft = z.infer<typeof PostDraft>
export const PostDraft = z.extend(PostFields, {
  /** If missing, derived from the title. */
  slug: z.optional(
    plainText().check(
      z.refine(slug => Slug.safeParse(slug).success, {
        error: text(
          'Please use lowercase letters a–z, digits and hyphens, such as caring-for-pickles'
        )
      })
    )
  ),
  key: z.uuid()
})

export type PostChange = z.infer<typeof PostChange>
export const PostChange = z.extend(z.partial(PostFields), { version: z.int() })

export const PreviewRequest = z.object({
  content: limitedText(POST_LIMITS.content)
})
export const RenderedText = z.object({ html: z.string() })

const MessageAnswer = z.object({
  key: z.string(),
  text: z.string(),
  answeredBy: z.string(),
  createdAt: Instant,
  mail: z.enum(['waiting', 'sent', 'failed'])
})

export type AdminMessage = z.infer<typeof AdminMessage>
export const AdminMessage = z.object({
  id: z.string(),
  reference: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  message: z.string(),
  language: LanguageCode,
  createdAt: Instant,
  readAt: z.nullable(Instant),
  answeredAt: z.nullable(Instant),
  answers: z.array(MessageAnswer)
})

export type MessageQuery = z.infer<typeof MessageQuery>
export const MessageQuery = z.object({
  show: z.optional(z.enum(MESSAGE_FILTERS)),
  q: z.optional(SearchText),
  page: z.optional(PageNumber)
})

export type MessageList = z.infer<typeof MessageList>
export const MessageList = z.object({
  messages: z.array(AdminMessage),
  count: z.int(),
  pages: z.int()
})

export type MessageMark = z.infer<typeof MessageMark>
export const MessageMark = z.object({
  read: z.optional(z.boolean()),
  answered: z.optional(z.boolean())
})

export type AnswerDraft = z.infer<typeof AnswerDraft>
export const AnswerDraft = z.object({
  text: requiredText(CONTACT_LIMITS.answer, ADMIN_TEXTS.answerRequired),
  key: z.uuid()
})

export type ShopStatus = z.infer<typeof ShopStatus>
export const ShopStatus = z.object({
  testMode: z.boolean(),
  sendsMail: z.boolean(),
  /** Told only to administrators. */
  mailNotSetUp: z.boolean(),
  /** Told only to administrators. They can't be changed in the settings. */
  setOnServer: z.array(z.enum(['mail', 'payments'])),
  /** Told only to administrators. True if this may be a copy of the live shop. */
  notLive: z.boolean()
})

export type SearchData = z.infer<typeof SearchData>
export const SearchData = z.object({
  categories: z.array(z.object({ name: z.string(), label: z.string(), labelTamil: z.string() })),
  collections: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      nameTamil: z.string(),
      products: z.array(z.string())
    })
  ),
  synonyms: z.string(),
  bestsellers: z.array(z.string()),
  contact: z.object({ phone: z.string(), whatsapp: z.string() })
})

export type MissedText = z.infer<typeof MissedText>
export const MissedText = z.object({
  text: plainText().check(z.overwrite(toSearchText), z.minLength(2), z.maxLength(MAX_MISSED_SEARCH))
})

export type MissedSearch = z.infer<typeof MissedSearch>
export const MissedSearch = z.object({
  text: z.string(),
  count: z.int(),
  lastDay: z.string()
})

export interface ContentApi {
  'GET /status': { reply: ShopStatus }
  'GET /blog': { reply: BlogPost[] }
  'GET /site-content': { reply: SiteContent }
  'POST /contact': { body: z.input<typeof ContactMessage>; reply: ContactReceipt }
  'GET /admin/posts': { reply: PostSummary[] }
  'GET /admin/posts/{id}': ById<AdminPost>
  'POST /admin/posts': { body: PostDraft; reply: AdminPost }
  'PATCH /admin/posts/{id}': ById<AdminPost, { body: PostChange }>
  'DELETE /admin/posts/{id}': Removal<Done>
  'POST /admin/posts/preview': {
    body: z.infer<typeof PreviewRequest>
    reply: z.infer<typeof RenderedText>
  }
  'GET /admin/messages': { query: QueryStrings<MessageQuery>; reply: MessageList }
  'GET /admin/messages/{id}': ById<AdminMessage>
  'POST /admin/messages/{id}/answers': ById<AdminMessage, { body: AnswerDraft }>
  'PATCH /admin/messages/{id}': ById<AdminMessage, { body: MessageMark }>
  'GET /search': { reply: SearchData }
  'POST /search/missed': { body: MissedText; reply: Done }
  'GET /admin/searches': { reply: MissedSearch[] }
}
