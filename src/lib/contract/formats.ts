import { t, text, texts } from './texts.ts'

export const DISCOUNTED_PACK_LIMIT = text('You cannot add more quantity of a discounted product')

export const FIELD_TEXTS = texts({
  contactNameRequired: 'Please enter your name',
  contactEmailRequired: 'Please enter your email',
  contactEmailInvalid: 'Please enter a valid email address',
  contactMessageRequired: 'Please enter your message',
  contactPhoneInvalid: 'Please check the phone number, or leave it empty',
  fillInAll: 'Please fill in all fields',
  nameRequired: 'Name is required.',
  phoneInvalid: 'Please enter a valid 10-digit phone number',
  pincodeInvalid: 'Please enter a valid 6-digit pincode',
  cartEmpty: 'Your cart is empty',
  deliveryDateInvalid: 'Please choose one of the delivery dates',
  eventTimeInvalid: 'Please enter date and time of your event',
  streetRequired: 'Please enter the street and area',
  cityRequired: 'Please enter the city',
  stateRequired: 'Please choose the state',
  passwordTooShort: 'Password must be at least 6 characters long',
  codeRequired: 'Please enter the 6-digit code',
  verificationRequired: 'Please enter your password or a code'
})

/** Most texts need no cleaning. */
const PLAIN = /^[\n -~]*$/
// Letters of Indian scripts need joiners, and emoji need these and variation selectors.
const INVISIBLE =
  /([\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca][\u200c\u200d]|[\u0620-\u06ff\u0900-\u0dff][\u200c\u200d](?=[\u0620-\u06ff\u0900-\u0dff])|[\p{ExtPict}\p{EMod}][\ufe0e\ufe0f\u{e0020}-\u{e007f}]*(?:\u200d(?=\p{ExtPict}))?|[\d#*]\ufe0f(?=\u20e3))|(?![\t\n])[\p{DI}\p{Cc}\p{Cs}\ufff9-\ufffc]/gu

/** Texts that look the same become the same, with plain spaces and nothing invisible. */
export function cleanText(typed: string): string {
  if (PLAIN.test(typed)) return typed
  return typed
    .replace(/\r\n?|[\v\f\x85\u2028\u2029]/g, '\n')
    .replace(INVISIBLE, '$1')
    .replace(/(?![\t\n])[\s\u2800]/g, ' ')
    .normalize('NFC')
}

/** As people see them: signs and joiners belong to the letter before. */
export function countShownLetters(text: string): number {
  return [...text.replace(/\u200d\p{ExtPict}|[\p{M}\p{Cf}\p{EMod}]/gu, '')].length
}

export function toOneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim()
}

/** For comparisons: without joiners, and with dashes, quotes and digits as on a keyboard. */
export function toSearchText(typed: string): string {
  return toPlainLetters(typed).toLowerCase()
}

function toPlainLetters(typed: string) {
  const text = toOneLine(typed).replace(/["`]/g, "'")
  if (PLAIN.test(text)) return text
  return text
    .replace(/\p{DI}/gu, '')
    .replace(/[\p{Pd}\u02d7\u2043\u2212]/gu, '-')
    .replace(/[\p{Pi}\p{Pf}\u00b4\u201a\u201e\u2032\u2033]/gu, "'")
    .replace(/(?=[\u0660-\u0def])\p{Nd}/gu, toDigit)
    .normalize('NFC')
}

const LABEL = /^[\p{L}\p{M} .'-]*[:=] *(?=.)/u

/** As if typed on a keyboard without other letters. Codes and numbers lose a label before ':'. */
export function toKeyboardText(typed: string): string {
  return toPlainLetters(typed.replaceAll('\u00b4', "'").normalize('NFKC')).replace(LABEL, '')
}

// Arabic digits begin at a multiple of 16, those of Indian scripts 6 later.
function toDigit(digit: string) {
  const code = digit.charCodeAt(0)
  return String((code < 0x900 ? code : code - 6) % 16)
}

/** Without what the field never has: spaces and quotes, or what `unwanted` finds. */
export function toCode(typed: string, unwanted = /[ ']/g): string {
  return toKeyboardText(typed).replace(unwanted, '')
}

/** Returns '620018' for 'Pin 620-018, Trichy'. Letters between digits stay, to be refused. */
export function toDigits(typed: string): string {
  return toCode(typed, /^\D+(?=\d)|(?<=\d)[^\p{L}\d]\D*$|[^\p{L}\d]/gu)
}

export function normalizeCouponCode(typed: string): string {
  return toCode(typed, /[^\p{L}\d-]/gu).toUpperCase()
}

/** Returns '9876543210' for '+91 (0) 98765-43210 (Anita)'. Other texts only lose punctuation. */
export function normalizePhone(typed: string): string {
  const compact = toCode(typed, /^[^\d+]+(?=[\d+])|(?<=\d)[^\p{L}\d+][^\d+]*$|[^\p{L}\d+]/gu)
  return /^(?:(?:\+|00?)?91)?0?(\d{10})$/.exec(compact)?.[1] ?? compact
}

const AROUND_PHONE = /^[^\d+(]+(?=[\d+(])|(?<=[\d)])[^\p{L}\d)]+(?:\p{L}\D*)?$/gu

/** Returns '98765 43210' for 'Phone: 98765 43210 (Anita)'. Two numbers stay, to be refused. */
export function toPhoneText(typed: string): string {
  return toCode(typed, AROUND_PHONE).replace(/[.']/g, '')
}

/** With a name and “mailto:”. No address is longer than 254 characters. */
const MAX_TYPED_EMAIL = 500

/** Returns 'a@b.in' for 'Anita <a@b.in>', 'mailto:a@b.in.' and 'a@b.in (home)'. */
export function normalizeEmail(typed: string): string {
  // The patterns take long for long texts.
  const text = toKeyboardText(typed.slice(0, MAX_TYPED_EMAIL)).toLowerCase()
  const address = (/<([^<>]*)>/.exec(text)?.[1] ?? text)
    .replace(/^[^@]*: ?|\?.*$/g, '')
    .replace(/ *([@.]) */g, '$1')
    .replace(/(@[^ ,;(]+) ?[,;(][^@]*$/, '$1')
    .replace(/^[^\p{L}\d]*(.*?)[^\p{L}\d]+$/u, '$1')
    .replace(/^["<([{*]+/, '')
  return address.includes('@') ? address : text
}

/** Returns '+91 90000 12345' for '9000012345'. Other numbers stay as typed. */
export function formatPhone(typed: string): string {
  const digits = normalizePhone(typed)
  return /^[6-9]\d{9}$/.test(digits) ? `+91 ${digits.slice(0, 5)} ${digits.slice(5)}` : typed
}

/** Returns '919876543210' for '098765 43210', and '' if it is no mobile number. */
export function toWhatsAppNumber(typed: string): string {
  const phone = normalizePhone(typed.replace('(0)', ''))
  if (/^[6-9]\d{9}$/.test(phone)) return `91${phone}`
  return /^(?:\+|00)((?!91|0)\d{7,15})$/.exec(phone)?.[1] ?? ''
}

/** Empty if the number is no mobile number. Without a number, the sender chooses one. */
export function toWhatsAppLink(
  phone: string | undefined,
  message: string = t('Vanakkam! I have a question.')
): string {
  const number = phone === undefined ? '' : toWhatsAppNumber(phone)
  if (phone !== undefined && number === '') return ''
  // Half an emoji can't be encoded.
  return `https://wa.me/${number}?text=${encodeURIComponent(cleanText(message))}`
}

const HOURS =
  /\b(\d\d?)([:.]\d\d)? ?([ap]m)? ?(?:to|-|–) ?(\d\d?)([:.]\d\d)?(?! ?[a-z\d:/-]|\.\d)/gi

/** Returns '9 am to 7 pm' for '9 to 7'. Hours that are clear stay as typed. */
export function formatHours(typed: string): string {
  return typed.replace(HOURS, (whole: string, ...parts: (string | undefined)[]) => {
    const [from = '', fromMinutes = '', half, until, minutes = ''] = parts
    if (Number(from) > 12 || Number(until) > 12 || from.startsWith('0')) return whole
    const isMorning = Number(from) >= 5 && Number(from) < 12
    return `${from}${fromMinutes} ${half ?? (isMorning ? 'am' : 'pm')} to ${until}${minutes} pm`
  })
}

export interface PincodeRange {
  from: string
  until: string
}

/** Parses '620001-620026, 625', where '625' is a prefix. Returns undefined if invalid. */
export function parsePincodes(typed: string): PincodeRange[] | undefined {
  const text = toKeyboardText(typed)
  // '620 625' are two prefixes, but a prefix is not repeated.
  const isSpaced = /\b(\d{3}) \d{3}\b.*\b\1 \d{3}\b/.test(text)
  const joined = text.replace(/\b(\d{3}) (\d{3})\b/g, '$1$2')
  const ranges = isSpaced ? undefined : parseRanges(text.replace(/\b(\d{3}) (0\d{2})\b/g, '$1$2'))
  return ranges ?? parseRanges(joined)
}

function parseRanges(text: string): PincodeRange[] | undefined {
  const joined = text.replace(/\s*(?:-+|\.{2,}|[~→]|\b(?:to|till|until)\b)\s*/gi, '-')
  const parts = joined.split(/[^\p{L}\d-]+/u).filter(part => part !== '')
  const ranges = parts.map(part => {
    const [, from, until = from] = /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(part) ?? []
    if (from === undefined || until === undefined) return undefined
    const range = { from: from.padEnd(6, '0'), until: until.padEnd(6, '9') }
    return range.from <= range.until ? range : undefined
  })
  return ranges.every(range => range !== undefined) ? ranges : undefined
}
