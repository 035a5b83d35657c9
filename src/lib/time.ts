import { TIME_ZONE } from './constants.ts'
import { locale } from './contract/texts.ts'

export type IsoTime = string
export type EpochMs = number
/** Tests inject their own. */
export type Clock = () => EpochMs

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const BANNER_INTERVAL = 3 * SECOND
export const TOAST_LIFETIME = 6 * SECOND
export const FLASH_DEALS_INTERVAL = MINUTE
export const DRAW_ANIMATION_STEP = SECOND / 20
/** After this time, the page says that it is waiting. */
export const SLOW_CALL_DELAY = 8 * SECOND
export const DOWNLOAD_LIFETIME = 10 * MINUTE
export const UNDO_WINDOW = 10 * SECOND
/** Until then, the change can be undone. */
export const STATUS_MAIL_DELAY = UNDO_WINDOW + 5 * SECOND
export const LIVE_CATALOG_MAX_AGE = 30 * SECOND
export const CART_SYNC_DEBOUNCE = 0.4 * SECOND
export const CODE_LIFETIME = 10 * MINUTE
export const CODE_RESEND_DELAY = MINUTE
export const PAYMENT_TIMEOUT = 15 * MINUTE
/** The last one is repeated. */
export const PAYMENT_POLL_DELAYS = [
  2 * SECOND,
  3 * SECOND,
  5 * SECOND,
  10 * SECOND,
  20 * SECOND,
  30 * SECOND
] as const
/** Includes time for the bank. */
export const RESERVATION_TIME = 30 * MINUTE
export const UNATTEMPTED_TIME = PAYMENT_TIMEOUT + MINUTE
export const SESSION_EXPIRED_REDIRECT_DELAY = 1.5 * SECOND
export const LOGIN_REDIRECT_DELAY = 2 * SECOND

export function toIso(ms: EpochMs): IsoTime {
  return new Date(ms).toISOString()
}

export function isoNow(clock: Clock): IsoTime {
  return toIso(clock())
}

/**
 * Formats a time, or a day such as '2026-11-24' with the time zone UTC. Creates the format when it
 * is first used, because that takes up to 40 ms on a phone.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions): (iso: string) => string {
  const formats: Partial<Record<string, Intl.DateTimeFormat>> = {}
  return iso => {
    const code = locale()
    // Short names of days are good English, but cut Tamil, which has words for AM and PM.
    const format = (formats[code] ??= new Intl.DateTimeFormat(code, {
      ...options,
      ...(!code.startsWith('en') && {
        ...(options.weekday && { weekday: 'long' }),
        ...(options.hour && { dayPeriod: 'short' })
      })
    }))
    return format.format(new Date(iso))
  }
}

export const formatDate: (iso: string) => string = dateFormat({
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: TIME_ZONE
})
export const formatDayAndTime: (iso: string) => string = dateFormat({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: TIME_ZONE
})
const toShortDay = dateFormat({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
/** Of a month such as '2026-11'. */
export const formatMonth: (month: string) => string = dateFormat({
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC'
})

export function formatIndianTime(dateTime: string): string {
  return formatDayAndTime(`${dateTime}:00+05:30`)
}

export function formatShortDay(day: string): string {
  return toShortDay(day).replace(/^(\w+),/, '$1')
}

export function formatDayOf(iso: string): string {
  return formatShortDay(toDayInIndia(Date.parse(iso)))
}

// India has no daylight saving time.
const INDIA_OFFSET = 5.5 * HOUR

export function toDayInIndia(now: number): string {
  return new Date(now + INDIA_OFFSET).toISOString().slice(0, 10)
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10)
}

export function toStartOfDay(day: string): string {
  return new Date(Date.parse(day) - INDIA_OFFSET).toISOString()
}

export function toIndianDateTime(iso: string): string {
  return new Date(Date.parse(iso) + INDIA_OFFSET).toISOString().slice(0, 16)
}

/** Returns undefined for a day that does not exist, such as 31 November. */
export function fromIndianDateTime(text: string): string | undefined {
  const time = Date.parse(`${text}Z`) - INDIA_OFFSET
  if (Number.isNaN(time)) return undefined
  const iso = new Date(time).toISOString()
  return toIndianDateTime(iso) === text.slice(0, 16) ? iso : undefined
}

/** Returns India's financial year (April to March), such as '26-27'. */
export function toFinancialYear(now: number): string {
  const [year = 0, month = 0] = toDayInIndia(now).split('-').map(Number)
  const first = month < 4 ? year - 1 : year
  return [first, first + 1].map(each => String(each % 100).padStart(2, '0')).join('-')
}

export function listMonths(
  now: number,
  count: number
): (readonly [month: string, label: string])[] {
  const [year = 0, month = 0] = toDayInIndia(now).split('-').map(Number)
  return Array.from({ length: count }, (_, index) => {
    const name = new Date(Date.UTC(year, month - 1 - index, 1)).toISOString().slice(0, 7)
    return [name, formatMonth(name)]
  })
}

export function toYearInIndia(now: number): number {
  return Number(toDayInIndia(now).slice(0, 4))
}
