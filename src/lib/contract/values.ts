import * as z from 'zod/mini'
import { tooLongText } from '../messages.ts'

export const Rupees = z.number().check(z.nonnegative(), z.multipleOf(0.01))
export const Instant = z.iso.datetime()
export const Slug = z.string().check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), z.maxLength(80))
export const MAX_ID_LENGTH = 200
/** Accepts any id that PostgreSQL can store, because an unknown id must give 404 instead of 400. */
export const PathId = z.string().check(z.regex(/^[^\0]+$/), z.maxLength(MAX_ID_LENGTH))
/** Removes null characters, because PostgreSQL can't store them. */
export const requiredText = (max: number, required: string) =>
  z
    .string(required)
    .check(z.overwrite(removeNullCharacters), z.trim(), z.minLength(1, required), z.maxLength(max, tooLongText(max)))

const removeNullCharacters = (text: string): string => text.replaceAll('\0', '')

export type Picture = z.infer<typeof Picture>
export const Picture = z.object({
  key: z.string(),
  width: z.int(),
  height: z.int(),
  alt: z.string(),
  color: z.string()
})

export type PackSize = z.infer<typeof PackSize>
export const PackSize = z.object({
  value: z.number().check(z.positive()),
  unit: z.string(),
  type: z.string()
})
