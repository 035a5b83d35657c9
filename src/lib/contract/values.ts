import * as z from 'zod/mini'
import { atMost } from '../messages.ts'

/** The wire's money: rupees with at most two decimals. */
export const Rupees = z.number().check(z.nonnegative(), z.multipleOf(0.01))
/** An instant as `toISOString()` writes it. */
export const Instant = z.iso.datetime()
/** A readable, stable id made from a name: `manapparai-murukku`. */
export const Slug = z.string().check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/), z.maxLength(80))
export const LONGEST_ID = 200
/** A path's id as a browser may send it: anything short that PostgreSQL can look for; what is no slug is simply not found. */
export const PathId = z.string().check(z.regex(/^[^\0]+$/), z.maxLength(LONGEST_ID))
/** Text typed by a person, without the spaces around it and without the one character that PostgreSQL can't keep. */
export const trimmed = (max: number, required: string) =>
  z.string(required).check(z.overwrite(withoutNull), z.trim(), z.minLength(1, required), z.maxLength(max, atMost(max)))

const withoutNull = (text: string): string => text.replaceAll('\0', '')

export type Picture = z.infer<typeof Picture>
export const Picture = z.object({
  /** Names the files under `/assets`, and changes with the picture's content. */
  key: z.string(),
  /** Of the original, in pixels. */
  width: z.int(),
  height: z.int(),
  alt: z.string(),
  /** The average colour, shown until the picture is there: `#c08a3e`. */
  color: z.string()
})

export type PackSize = z.infer<typeof PackSize>
export const PackSize = z.object({
  value: z.number().check(z.positive()),
  unit: z.string(),
  type: z.string()
})
