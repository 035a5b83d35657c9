import type { Problems } from '../account-forms.ts'
import { DEAL_PERCENT } from '../constants.ts'
import type { AdminDeal, DealChange, DiscountedProduct } from '../contract/deals.ts'
import { timeLeft } from '../deal-view.ts'
import { MESSAGES } from '../messages.ts'
import { fromRupees, toRupees } from '../money.ts'
import { discounted } from '../pricing.ts'
import { fromIndianDateTime, toIndianDateTime, formatDayAndTime } from '../time.ts'

export const DEAL_FORM_FIELDS = ['productId', 'discountPercentage', 'startTime', 'endTime'] as const
export type DealFormField = (typeof DEAL_FORM_FIELDS)[number]
export type DealValues = Record<DealFormField, string>

export type DealTerms = Omit<DealChange, 'version'>

export const DEAL_LABELS: Readonly<Record<DealFormField, string>> = {
  productId: 'Product',
  discountPercentage: 'Discount',
  startTime: 'Start',
  endTime: 'End'
}

export const EMPTY_DEAL: DealValues = { productId: '', discountPercentage: '', startTime: '', endTime: '' }

export function dealTerms({ discountPercentage, startTime, endTime }: DealTerms): DealTerms {
  return { discountPercentage, startTime, endTime }
}

/** Times are in Indian time (IST), independent of the device's time zone. */
export function valuesOfDeal({ product, discountPercentage, startTime, endTime }: DiscountedProduct): DealValues {
  return {
    productId: product._id,
    discountPercentage: String(discountPercentage),
    startTime: toIndianDateTime(startTime),
    endTime: toIndianDateTime(endTime)
  }
}

export function valuesForRepeat(deal: DiscountedProduct): DealValues {
  return { ...valuesOfDeal(deal), startTime: '', endTime: '' }
}

/** The server checks again, and also refuses a discount of 0%. */
export function dealProblems({
  productId,
  discountPercentage,
  startTime,
  endTime
}: DealValues): Problems<DealFormField> {
  const [start, end] = [fromIndianDateTime(startTime), fromIndianDateTime(endTime)]
  return {
    ...(productId === '' && { productId: MESSAGES.dealProductRequired }),
    ...(parsePercent(discountPercentage) === undefined && { discountPercentage: MESSAGES.dealPercentInvalid }),
    ...(start === undefined && { startTime: MESSAGES.dealTimeInvalid }),
    ...(end === undefined
      ? { endTime: MESSAGES.dealTimeInvalid }
      : start !== undefined && end <= start && { endTime: MESSAGES.dealEndTooEarly })
  }
}

/**
 * Expects values without problems. A time field has no seconds, so a field that was not edited keeps the exact instant
 * of `start`.
 */
export function parseTerms(values: DealValues, start?: DealTerms): DealTerms {
  const instant = (name: 'startTime' | 'endTime'): string =>
    start && toIndianDateTime(start[name]) === values[name] ? start[name] : (fromIndianDateTime(values[name]) ?? '')
  return {
    discountPercentage: parsePercent(values.discountPercentage) ?? 0,
    startTime: instant('startTime'),
    endTime: instant('endTime')
  }
}

/** A whole number from 0 to 100; undefined for anything else. */
export function parsePercent(typed: string): number | undefined {
  const percent = Number(typed)
  return /^\d{1,3}$/.test(typed.trim()) && percent <= DEAL_PERCENT.max ? percent : undefined
}

/** The price with the highest discount; both in rupees. */
export function lowestPrice(price: number, percent: number): number {
  return toRupees(discounted(fromRupees(price), percent))
}

/** 'Runs for 1 day 2 h' or 'Runs for 3 h'; undefined unless both times are set and the end is later. */
export function runTimeText({ startTime, endTime }: Pick<DealValues, 'startTime' | 'endTime'>): string | undefined {
  const length = Date.parse(`${endTime}Z`) - Date.parse(`${startTime}Z`)
  return length > 0 ? `Runs for ${timeLeft(length).replace(/ 0+ \w+$/, '')}` : undefined
}

export type DealState = 'running' | 'scheduled' | 'ended'

/** `now` in ms since the epoch, by the server's clock. */
export function dealState({ startTime, endTime }: DealTerms, now: number): DealState {
  if (Date.parse(endTime) <= now) return 'ended'
  return Date.parse(startTime) <= now ? 'running' : 'scheduled'
}

/** 'Running, 5 h 03 min left' */
export function dealStateText(deal: DealTerms & Pick<AdminDeal, 'hidden'>, now: number): string {
  const state = dealState(deal, now)
  if (state === 'ended') return 'Ended'
  if (deal.hidden) return 'Hidden, like its product'
  return state === 'running'
    ? `Running, ${timeLeft(Date.parse(deal.endTime) - now)} left`
    : `Scheduled, starts in ${timeLeft(Date.parse(deal.startTime) - now)}`
}

/** `field` is the name in the API. */
export function formatDealField(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  if (field === 'discountPercentage') return `${String(value)}%`
  return field === 'startTime' || field === 'endTime' ? formatDayAndTime(String(value)) : String(value)
}
