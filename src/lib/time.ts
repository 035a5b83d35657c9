import { LOCALE, TIME_ZONE } from './constants.ts'

/** All durations are in ms. */
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const BANNER_ROTATION = 3 * SECOND
export const TOAST_LIFETIME = 6 * SECOND
export const FLASH_DEALS_REFETCH = MINUTE
export const DRAW_ANIMATION_STEP = SECOND / 20
export const CALL_TIMEOUT = 15 * SECOND
export const BODY_TIMEOUT = 30 * SECOND
export const UPLOAD_BODY_TIMEOUT = 5 * MINUTE
export const UPLOAD_TIMEOUT = UPLOAD_BODY_TIMEOUT + MINUTE
export const BACKUP_TIMEOUT = 10 * MINUTE
export const DOWNLOAD_LIFETIME = 10 * MINUTE
export const UNDO_WINDOW = 10 * SECOND
/** Mails about a change wait until it can no longer be undone. */
export const UNDO_MAIL_DELAY = UNDO_WINDOW + 5 * SECOND
/** The same contact message within this time counts as a double submit. */
export const DUPLICATE_MESSAGE_WINDOW = 10 * MINUTE
export const LIVE_CATALOG_MAX_AGE = 30 * SECOND
export const CART_SYNC_DEBOUNCE = 0.4 * SECOND
/** From the last use, which is stored at most once per `SESSION_RENEWAL`. */
export const SESSION_LIFETIME = 30 * DAY
export const SESSION_RENEWAL = DAY
export const CODE_LIFETIME = 10 * MINUTE
export const CODE_RESEND_DELAY = MINUTE
export const PASSWORD_WINDOW = 15 * MINUTE
export const PAYMENT_WINDOW = 15 * MINUTE
/** Delays between status checks of a payment; the last one repeats. */
export const PAYMENT_POLL_DELAYS = [2 * SECOND, 3 * SECOND, 5 * SECOND, 10 * SECOND, 20 * SECOND, 30 * SECOND] as const
/** The payment window plus time for the bank to confirm. */
export const RESERVATION_TIME = 30 * MINUTE
/** After the provider reported a payment that is not yet confirmed. */
export const PAID_RESERVATION_TIME = 72 * HOUR
export const SESSION_EXPIRED_REDIRECT_DELAY = 1.5 * SECOND
export const LOGIN_REDIRECT_DELAY = 2 * SECOND

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

export function formatDate(iso: string): string {
  return longDate.format(new Date(iso))
}

export function formatDayAndTime(iso: string): string {
  return dayAndTime.format(new Date(iso))
}

export function formatDayAndSecond(iso: string): string {
  return dayAndSecond.format(new Date(iso))
}

// India has no daylight saving time.
const INDIA_OFFSET = 5.5 * HOUR

export function dayInIndia(now: number): string {
  return new Date(now + INDIA_OFFSET).toISOString().slice(0, 10)
}

/** ISO time of midnight in India on a day such as '2026-11-21'. */
export function startOfDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - INDIA_OFFSET).toISOString()
}

/** '2026-11-21T18:00' from an ISO time, for an `<input type="datetime-local">`. */
export function toIndianDateTime(iso: string): string {
  return new Date(Date.parse(iso) + INDIA_OFFSET).toISOString().slice(0, 16)
}

export function fromIndianDateTime(shown: string): string | undefined {
  const time = Date.parse(`${shown}Z`) - INDIA_OFFSET
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

/** India's financial year, from April to March: '26-27'. */
export function financialYear(now: number): string {
  const [year = 0, month = 0] = dayInIndia(now).split('-').map(Number)
  const first = month < 4 ? year - 1 : year
  return [first, first + 1].map(each => String(each % 100).padStart(2, '0')).join('-')
}

export function yearInIndia(now: number): number {
  return Number(new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: TIME_ZONE }).format(new Date(now)))
}
