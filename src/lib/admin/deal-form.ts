import type { Problems } from '../account/forms.ts'
import { DEAL_PERCENT } from '../constants.ts'
import type { AdminDeal, DealChange, DiscountedProduct } from '../contract/deals.ts'
import { formatTimeLeft } from '../deal-view.ts'
import { MESSAGES } from '../messages.ts'
import { fromRupees, toRupees } from '../money.ts'
import { applyDiscount } from '../cart/pricing.ts'
import { fromIndianDateTime, toIndianDateTime, formatDayAndTime } from '../time.ts'

export const DEAL_FORM_FIELDS = ['productId', 'discountPercentage', 'startTime', 'endTime'] as const
export type DealFormField = (typeof DEAL_FORM_FIELDS)[number]
export type DealFormValues = Record<DealFormField, string>

export type DealTerms = Omit<DealChange, 'version'>

export const DEAL_LABELS: Readonly<Record<DealFormField, string>> = {
  productId: 'Product',
  discountPercentage: 'Discount',
  startTime: 'Start',
  endTime: 'End'
}

export const EMPTY_DEAL: DealFormValues = { productId: '', discountPercentage: '', startTime: '', endTime: '' }

export function toDealTerms({ discountPercentage, startTime, endTime }: DealTerms): DealTerms {
  return { discountPercentage, startTime, endTime }
}

/** Times are in Indian time (IST), independent of the device's time zone. */
export function toDealFormValues({
  product,
  discountPercentage,
  startTime,
  endTime
}: DiscountedProduct): DealFormValues {
  return {
    productId: product._id,
    discountPercentage: String(discountPercentage),
    startTime: toIndianDateTime(startTime),
    endTime: toIndianDateTime(endTime)
  }
}

export function toRepeatFormValues(deal: DiscountedProduct): DealFormValues {
  return { ...toDealFormValues(deal), startTime: '', endTime: '' }
}

export function validateDeal({
  productId,
  discountPercentage,
  startTime,
  endTime
}: DealFormValues): Problems<DealFormField> {
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

/** A time field has no seconds. Therefore a time that was not edited is taken from `original`. */
export function parseDealForm(values: DealFormValues, original?: DealTerms): DealTerms {
  const toIso = (name: 'startTime' | 'endTime'): string =>
    original && toIndianDateTime(original[name]) === values[name]
      ? original[name]
      : (fromIndianDateTime(values[name]) ?? '')
  return {
    discountPercentage: parsePercent(values.discountPercentage) ?? 0,
    startTime: toIso('startTime'),
    endTime: toIso('endTime')
  }
}

export function parsePercent(typed: string): number | undefined {
  const percent = Number(typed)
  return /^\d{1,3}$/.test(typed.trim()) && percent <= DEAL_PERCENT.max ? percent : undefined
}

export function lowestPrice(price: number, percent: number): number {
  return toRupees(applyDiscount(fromRupees(price), percent))
}

export function formatRunTime({
  startTime,
  endTime
}: Pick<DealFormValues, 'startTime' | 'endTime'>): string | undefined {
  const length = Date.parse(`${endTime}Z`) - Date.parse(`${startTime}Z`)
  return length > 0 ? `Runs for ${formatTimeLeft(length).replace(/ 0+ \w+$/, '')}` : undefined
}

export type DealState = 'running' | 'scheduled' | 'ended'

/** `now` is the server's time in ms since the epoch. */
export function toDealState({ startTime, endTime }: DealTerms, now: number): DealState {
  if (Date.parse(endTime) <= now) return 'ended'
  return Date.parse(startTime) <= now ? 'running' : 'scheduled'
}

export function formatDealState(deal: DealTerms & Pick<AdminDeal, 'hidden'>, now: number): string {
  const state = toDealState(deal, now)
  if (state === 'ended') return 'Ended'
  if (deal.hidden) return 'Hidden, like its product'
  return state === 'running'
    ? `Running, ${formatTimeLeft(Date.parse(deal.endTime) - now)} left`
    : `Scheduled, starts in ${formatTimeLeft(Date.parse(deal.startTime) - now)}`
}

export function formatDealField(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty'
  if (field === 'discountPercentage') return `${String(value)}%`
  return field === 'startTime' || field === 'endTime' ? formatDayAndTime(String(value)) : String(value)
}
