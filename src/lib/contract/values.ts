import * as z from 'zod/mini'
import { FIELD_TEXTS, cleanText, normalizeEmail, toCode, toOneLine } from './formats.ts'
import {
  ACCOUNT_LIMITS,
  CODE_LENGTH,
  EMAIL,
  LIST_LIMITS,
  SETTING_LIMITS,
  LANGUAGE_CODES
} from '../constants.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'
import { t, text } from './texts.ts'

export const tooLongText = (count: number): { error: () => string } => ({
  error: () => t('Please use at most {count} characters', { count })
})

/** More than any order can cost. In paise, it is still an exact number. */
export const MAX_RUPEES = 10_000_000_000
export const Rupees = z.number().check(z.nonnegative(), z.maximum(MAX_RUPEES), z.multipleOf(0.01))
export const Instant = z.iso.datetime()
/** In one format, because the database compares times as text. */
export const timeText = (error: string) =>
  z.iso.datetime({ offset: true, error }).check(z.overwrite(toIso), z.regex(/^\d{4}-/, error))

function toIso(text: string) {
  const time = Date.parse(text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}

export const slugText = (error?: string) =>
  z.string().check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, error), z.maxLength(80))
export const Slug = slugText()
export const MAX_ID_LENGTH = 200
/** Refuses null characters and halves of an emoji, which PostgreSQL can’t store. */
const storable = z.regex(/^[^\0\p{Cs}]*$/u)
/** A text that people type. */
export const plainText = (error?: string) => z.string(error).check(z.overwrite(cleanText), storable)
export const limitedText = (max: number) => z.string().check(storable, z.maxLength(max))
export const filledText = (max: number) => limitedText(max).check(z.minLength(1))
/** Any id that PostgreSQL can store, because an unknown one must give 404, not 400. */
export const PathId = filledText(MAX_ID_LENGTH)
export const IdPath = z.object({ id: PathId })
export const VersionText = z.string().check(z.regex(/^\d{1,15}$/))
export const RemovalQuery = z.object({ version: VersionText })
export const requiredText = (max: number, required: string) =>
  plainText(required).check(z.trim(), z.minLength(1, required), z.maxLength(max, tooLongText(max)))

export const PageNumber = z.string().check(z.regex(/^[1-9]\d{0,5}$/))
export const SearchText = plainText().check(z.maxLength(LIST_LIMITS.maxSearchLength))
/** A call about one record. `Rest` has its body or query. */
export type ById<Reply, Rest = unknown> = { params: { id: string }; reply: Reply } & Rest

export type Removal<Reply> = ById<Reply, { query: { version: string } }>

export type QueryStrings<Query> = Partial<Record<keyof Query, string>>

export const emailAddress = (required: string) =>
  requiredText(ACCOUNT_LIMITS.email, required).check(
    z.overwrite(normalizeEmail),
    z.regex(EMAIL, FIELD_TEXTS.contactEmailInvalid)
  )

export const optionalText = (max: number) =>
  plainText().check(z.trim(), z.maxLength(max, tooLongText(max)))

/** Line breaks become spaces, so that no name adds a paragraph to a mail. */
export const requiredLine = (max: number, required: string) =>
  requiredText(max, required).check(z.overwrite(toOneLine), z.minLength(1, required))
export const optionalLine = (max: number) => optionalText(max).check(z.overwrite(toOneLine))

export const addressLine = () => optionalLine(ACCOUNT_LIMITS.addressLine)

/** Stays as typed: the saved hash is of exactly that text. */
export const passwordText = z
  .string(FIELD_TEXTS.fillInAll)
  .check(
    storable,
    z.trim(),
    z.minLength(1, FIELD_TEXTS.fillInAll),
    z.maxLength(ACCOUNT_LIMITS.password, tooLongText(ACCOUNT_LIMITS.password))
  )

export const loginCode = z.string(FIELD_TEXTS.codeRequired).check(
  z.overwrite(typed => toCode(typed, /\D/g)),
  z.regex(new RegExp(`^\\d{${CODE_LENGTH}}$`), FIELD_TEXTS.codeRequired)
)

export type Credential = z.infer<typeof Credential>
export const Credential = z
  .object(
    { password: z.optional(passwordText), otp: z.optional(loginCode) },
    FIELD_TEXTS.verificationRequired
  )
  .check(
    z.refine(
      ({ password, otp }) => (password === undefined) !== (otp === undefined),
      FIELD_TEXTS.verificationRequired
    )
  )

export const LanguageCode = z.enum(LANGUAGE_CODES)

/** Texts by language. Those that are missing are shown in English. */
export const translationsOf = <Texts extends z.core.$ZodShape>(texts: Texts) =>
  z.optional(z.record(z.string().check(z.regex(/^[a-z]{2,3}$/)), z.partial(z.object(texts))))

/** An object whose texts may have translations. */
export const translatable = <Texts extends z.core.$ZodShape>(texts: Texts) =>
  z.object({ ...texts, translations: translationsOf(texts) })

export type Picture = z.infer<typeof Picture>
export const Picture = z.extend(translatable({ alt: z.string() }), {
  key: z.string(),
  width: z.int(),
  height: z.int(),
  color: z.string()
})

export type PackSize = z.infer<typeof PackSize>
export const PackSize = z.object({
  value: z.number().check(z.positive()),
  unit: z.string(),
  type: z.string()
})

export const emptyOr = (
  valid: RegExp | ((text: string) => boolean),
  error: string,
  clean: (typed: string) => string = toOneLine,
  max: number = SETTING_LIMITS.line
) => {
  const isValid = (text: string) => (valid instanceof RegExp ? valid.test(text) : valid(text))
  return optionalText(max).check(
    z.overwrite(clean),
    z.refine(text => text === '' || isValid(text), error)
  )
}

export const listOf = <Item extends z.core.$ZodType>(
  item: Item,
  max: number = SETTING_LIMITS.list
) => z.array(item).check(z.maxLength(max, ADMIN_TEXTS.listTooLong))

export const wholeNumber = (min: number, max: number, error: string) =>
  z.int(error).check(z.minimum(min, error), z.maximum(max, error))

export const decimal = (min: number, max: number, error: string) =>
  z.number(error).check(z.minimum(min, error), z.maximum(max, error), z.multipleOf(0.01, error))

export const settingAmount = decimal(
  0,
  SETTING_LIMITS.minimumOrder,
  text('Please enter an amount in rupees, 0 or more')
)

export const MonthQuery = z.object({
  month: z.string().check(z.regex(/^20\d{2}-(0[1-9]|1[0-2])$/))
})

export function isWebAddress(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value)
}

interface MapPoint {
  latitude: number
  longitude: number
}

export function toMapPoint(text: string): MapPoint | undefined {
  const [, latitude, longitude] =
    /^(-?\d{1,2}(?:\.\d+)?)\s*,\s*(-?\d{1,3}(?:\.\d+)?)$/.exec(toCode(text, /[ '°NE]/g)) ?? []
  if (latitude === undefined || longitude === undefined) return undefined
  const point = { latitude: Number(latitude), longitude: Number(longitude) }
  return Math.abs(point.latitude) <= 90 && Math.abs(point.longitude) <= 180 ? point : undefined
}

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const GSTIN = /^\d{2}[A-Z]{5}\d{4}[A-Z][1-9A-Z]Z[0-9A-Z]$/

export function isGstin(text: string): boolean {
  return GSTIN.test(text) && text.at(-1) === toCheckCharacter(text.slice(0, -1))
}

function toCheckCharacter(text: string) {
  let sum = 0
  for (const [index, character] of [...text].entries()) {
    const product = CHARACTERS.indexOf(character) * (index % 2 === 0 ? 1 : 2)
    sum += Math.floor(product / CHARACTERS.length) + (product % CHARACTERS.length)
  }
  return CHARACTERS[(CHARACTERS.length - (sum % CHARACTERS.length)) % CHARACTERS.length]
}
