import * as z from 'zod/mini'
import { CONTACT_LIMITS } from '../constants.ts'
import { atMost, MESSAGES } from '../messages.ts'
import { Instant, Picture, trimmed } from './values.ts'

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
  name: trimmed(CONTACT_LIMITS.name, MESSAGES.contactNameRequired),
  email: z
    .string(MESSAGES.contactEmailRequired)
    .check(
      z.trim(),
      z.minLength(1, MESSAGES.contactEmailRequired),
      z.maxLength(CONTACT_LIMITS.email, atMost(CONTACT_LIMITS.email)),
      z.email(MESSAGES.contactEmailInvalid)
    ),
  message: trimmed(CONTACT_LIMITS.message, MESSAGES.contactMessageRequired),
  /** Honeypot: hidden from people. A message with this field is dropped, with a normal reply. */
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
