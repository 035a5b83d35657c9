import type { Problems } from '../account-forms.ts'
import { DEAL_PERCENT } from '../constants.ts'
import type { AdminDeal, DealChange, DiscountedProduct } from '../contract/deals.ts'
import { timeLeft } from '../deal-view.ts'
import { MESSAGES } from '../messages.ts'
import { fromRupees, toRupees } from '../money.ts'
import { discounted } from '../pricing.ts'
import { atClockInIndia, clockInIndia, formatDayAndTime } from '../time.ts'

export const DEAL_FORM_FIELDS = ['productId', 'discountPercentage', 'startTime', 'endTime'] as const
export type DealFormField = (typeof DEAL_FORM_FIELDS)[number]
export type DealValues = Record<DealFormField, string>

/** What can be changed of a deal. */
export type DealTerms = Omit<DealChange, 'version'>

/** What the owner calls the fields of a deal. */
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

/** The times as India's clocks show them, whatever the owner's phone is set to. */
export function valuesOfDeal({ product, discountPercentage, startTime, endTime }: DiscountedProduct): DealValues {
  return {
    productId: product._id,
    discountPercentage: String(discountPercentage),
    startTime: clockInIndia(startTime),
    endTime: clockInIndia(endTime)
  }
}

/** A deal like one that has been, at a time that is still to be chosen. */
export function valuesForRepeat(deal: DiscountedProduct): DealValues {
  return { ...valuesOfDeal(deal), startTime: '', endTime: '' }
}

/** What is wrong at first sight; the shop looks again, and says why there is no deal of 0%. */
export function dealProblems({
  productId,
  discountPercentage,
  startTime,
  endTime
}: DealValues): Problems<DealFormField> {
  const [start, end] = [atClockInIndia(startTime), atClockInIndia(endTime)]
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
 * What was typed, as the shop takes it; only of values without problems. A field has no seconds: one that still shows what
 * it began with is the instant it began with.
 */
export function parseTerms(values: DealValues, start?: DealTerms): DealTerms {
  const instant = (name: 'startTime' | 'endTime'): string =>
    start && clockInIndia(start[name]) === values[name] ? start[name] : (atClockInIndia(values[name]) ?? '')
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

/** What the luckiest draw pays, in rupees. */
export function lowestPrice(price: number, percent: number): number {
  return toRupees(discounted(fromRupees(price), percent))
}

/** 'Runs for 1 day 2 h' or 'Runs for 3 h'; undefined while the times are not both there or make no deal. */
export function runTimeText({ startTime, endTime }: Pick<DealValues, 'startTime' | 'endTime'>): string | undefined {
  const length = Date.parse(`${endTime}Z`) - Date.parse(`${startTime}Z`)
  return length > 0 ? `Runs for ${timeLeft(length).replace(/ 0+ \w+$/, '')}` : undefined
}

export type DealState = 'running' | 'coming' | 'over'

/** `now` in ms since the epoch, by the shop's clock. */
export function dealState({ startTime, endTime }: DealTerms, now: number): DealState {
  if (Date.parse(endTime) <= now) return 'over'
  return Date.parse(startTime) <= now ? 'running' : 'coming'
}

/** 'Running, 5 h 03 min left' */
export function dealStateText(deal: DealTerms & Pick<AdminDeal, 'hidden'>, now: number): string {
  const state = dealState(deal, now)
  if (state === 'over') return 'Over'
  if (deal.hidden) return 'Hidden with its product'
  return state === 'running'
    ? `Running, ${timeLeft(Date.parse(deal.endTime) - now)} left`
    : `Coming, starts in ${timeLeft(Date.parse(deal.startTime) - now)}`
}

/** How a value of a deal is written for people, by the wire's name of its field. */
export function formatDealField(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (field === 'discountPercentage') return `${String(value)}%`
  return field === 'startTime' || field === 'endTime' ? formatDayAndTime(String(value)) : String(value)
}
