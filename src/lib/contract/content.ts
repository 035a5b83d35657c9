import * as z from 'zod/mini'
import { CONTACT_LIMITS } from '../constants.ts'
import { tooLongText, MESSAGES } from '../messages.ts'
import { Instant, Picture, requiredText } from './values.ts'

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
  createdAt: Instant
})

export type ContactMessage = z.infer<typeof ContactMessage>
export const ContactMessage = z.object({
  name: requiredText(CONTACT_LIMITS.name, MESSAGES.contactNameRequired),
  email: z
    .string(MESSAGES.contactEmailRequired)
    .check(
      z.trim(),
      z.minLength(1, MESSAGES.contactEmailRequired),
      z.maxLength(CONTACT_LIMITS.email, tooLongText(CONTACT_LIMITS.email)),
      z.email(MESSAGES.contactEmailInvalid)
    ),
  message: requiredText(CONTACT_LIMITS.message, MESSAGES.contactMessageRequired),
  /** Honeypot field, which only bots fill in. Such a message gets a normal reply but is not stored. */
  website: z.optional(z.string())
})

export type ContactReceipt = z.infer<typeof ContactReceipt>
export const ContactReceipt = z.object({
  message: z.string(),
  reference: z.string()
})

export interface ContentApi {
  'GET /blog': { reply: BlogPost[] }
  'POST /contact': { body: ContactMessage; reply: ContactReceipt }
}
