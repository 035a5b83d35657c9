import { LOCALE, TIME_ZONE } from './constants.ts'

/** Durations in milliseconds. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const BANNER_ROTATION = 3 * SECOND
export const TOAST_LIFETIME = 6 * SECOND
export const FLASH_DEALS_REFETCH = MINUTE
/** Between two numbers of the animation that ends in a drawn discount. */
export const SPIN_STEP = SECOND / 20
export const CALL_TIMEOUT = 15 * SECOND
/** How long what is sent with a call may take to arrive; a picture from a phone on a patchy line takes longer. */
export const BODY_TIME = 30 * SECOND
export const UPLOAD_TIME = 5 * MINUTE
/** The way of a picture, and the making of its forms. */
export const UPLOAD_TIMEOUT = UPLOAD_TIME + MINUTE
/** The making of a backup, and how long it then waits to be fetched. */
export const BACKUP_TIMEOUT = 10 * MINUTE
export const DOWNLOAD_LIFE = 10 * MINUTE
/** How long the owner may take a change back by one press. */
export const UNDO_TIME = 10 * SECOND
/** How long a mail about such a change waits: until nobody can take it back any more. */
export const MAIL_REST = UNDO_TIME + 5 * SECOND
/** The same contact message within this time is a nervous thumb's. */
export const SAME_MESSAGE = 10 * MINUTE
/** Sessions and the reads of live prices are shared by tabs for this long. */
export const LIVE_CATALOG_AGE = 30 * SECOND
/** How long a cart rests before the shop is told of its change. */
export const CART_REST = 0.4 * SECOND
/** A session ends when it is not used for this long; its use is written down at most once in `SESSION_RENEWAL`. */
export const SESSION_LIFE = 30 * DAY
export const SESSION_RENEWAL = DAY
export const CODE_LIFE = 10 * MINUTE
export const CODE_RESEND = MINUTE
export const PASSWORD_WINDOW = 15 * MINUTE
/** How long the provider's window may stay open. */
export const PAYMENT_WINDOW = 15 * MINUTE
/** How long the page waits before it asks again how a payment stands; the last one is repeated. */
export const PAYMENT_POLLS = [2 * SECOND, 3 * SECOND, 5 * SECOND, 10 * SECOND, 20 * SECOND, 30 * SECOND] as const
/** How long goods are kept for who is paying: the window, what the bank may take after it, and a little. */
export const HOLD = 30 * MINUTE
/** How long they are kept once the provider has said that it was paid, whether or not it can be asked. */
export const PROVEN_HOLD = 72 * HOUR
/** How long a notice is read before the page it speaks of opens. */
export const SESSION_EXPIRED_REDIRECT = 1.5 * SECOND
export const LOGIN_REDIRECT = 2 * SECOND

const longDate = new Intl.DateTimeFormat(LOCALE, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: TIME_ZONE
})
const parts = {
  ...({ weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const),
  timeZone: TIME_ZONE
}
const dayAndTime = new Intl.DateTimeFormat(LOCALE, parts)
const dayAndSecond = new Intl.DateTimeFormat(LOCALE, { ...parts, second: '2-digit' })

/** '21 November 2026', in India's time zone, from an ISO time. */
export function formatDate(iso: string): string {
  return longDate.format(new Date(iso))
}

/** 'Sat, 21 Nov, 6:00 pm', in India's time zone, from an ISO time. */
export function formatDayAndTime(iso: string): string {
  return dayAndTime.format(new Date(iso))
}

/** 'Sat, 21 Nov, 6:00:05 pm', for what comes more often than once a minute. */
export function formatDayAndSecond(iso: string): string {
  return dayAndSecond.format(new Date(iso))
}

const INDIA_OFFSET = 5.5 * HOUR

/** The calendar day in India at `now` (ms since the epoch): '2026-11-21'. India's clocks are never changed. */
export function dayInIndia(now: number): string {
  return new Date(now + INDIA_OFFSET).toISOString().slice(0, 10)
}

/** When a calendar day such as '2026-11-21' begins in India, as an ISO time. */
export function startOfDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - INDIA_OFFSET).toISOString()
}

/** What India's clocks and calendars show at an instant (ISO), as a field for both has it: '2026-11-21T18:00'. */
export function clockInIndia(iso: string): string {
  return new Date(Date.parse(iso) + INDIA_OFFSET).toISOString().slice(0, 16)
}

/** The instant (ISO) at which India's clocks show such a text; undefined for what is none. */
export function atClockInIndia(shown: string): string | undefined {
  const time = Date.parse(`${shown}Z`) - INDIA_OFFSET
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** India's financial year at `now`, from April to March: '26-27'. */
export function financialYear(now: number): string {
  const [year = 0, month = 0] = dayInIndia(now).split('-').map(Number)
  const first = month < 4 ? year - 1 : year
  return [first, first + 1].map(each => String(each % 100).padStart(2, '0')).join('-')
}

/** The calendar year in India at `now` (ms since the epoch), for the footer. */
export function yearInIndia(now: number): number {
  return Number(new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: TIME_ZONE }).format(new Date(now)))
}
