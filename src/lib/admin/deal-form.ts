import { toProblems, type Problems } from '../account/forms.ts'
import { DEAL_PERCENT } from '../constants.ts'
import type { AdminDeal, DealChange, DiscountedProduct } from '../contract/deals.ts'
import { ADMIN_FIELD_TEXTS } from '../contract/field-texts.ts'
import { formatTimeLeft, highestDraw } from '../deal-view.ts'
import { applyDiscount, fromRupees, toRupees } from '../money.ts'
import { formatDayAndTime, fromIndianDateTime, toIndianDateTime } from '../time.ts'
import { fieldFormatter, parseTime } from './form.ts'

export const DEAL_MESSAGES = {
  dealStartRequired: 'Please enter the date and time of the start',
  dealEndRequired: 'Please enter the date and time of the end',
  dealEndPast: 'The deal must end in the future.',
  dealDeleted: 'Discounted product deleted successfully'
} as const

export const DEAL_LABELS = {
  productId: 'Product',
  discountPercentage: 'Discount',
  startTime: 'Start',
  endTime: 'End'
} as const
export type DealFormField = keyof typeof DEAL_LABELS
export type DealFormValues = Record<DealFormField, string>
export const DEAL_FORM_FIELDS = Object.keys(DEAL_LABELS) as DealFormField[]
export const EMPTY_DEAL: DealFormValues = {
  productId: '',
  discountPercentage: '',
  startTime: '',
  endTime: ''
}

export type DealTerms = Omit<DealChange, 'version'>

export function toDealTerms({ discountPercentage, startTime, endTime }: DealTerms): DealTerms {
  return { discountPercentage, startTime, endTime }
}

/** Times are in Indian time (IST), independent of the device's time zone. */
export function toDealFormValues(deal: DiscountedProduct): DealFormValues {
  return {
    productId: deal.product._id,
    discountPercentage: String(deal.discountPercentage),
    startTime: toIndianDateTime(deal.startTime),
    endTime: toIndianDateTime(deal.endTime)
  }
}

export function toRepeatFormValues(deal: DiscountedProduct): DealFormValues {
  return { ...toDealFormValues(deal), startTime: '', endTime: '' }
}

/** The texts differ, because a form shows equal texts only once. */
export function validateDeal(values: DealFormValues): Problems<DealFormField> {
  const [start, end] = [fromIndianDateTime(values.startTime), fromIndianDateTime(values.endTime)]
  const isTooEarly = start !== undefined && end !== undefined && end <= start
  return toProblems({
    productId: values.productId === '' && ADMIN_FIELD_TEXTS.dealProductRequired,
    discountPercentage:
      parsePercent(values.discountPercentage) === undefined && ADMIN_FIELD_TEXTS.dealPercentInvalid,
    startTime: start === undefined && DEAL_MESSAGES.dealStartRequired,
    endTime:
      end === undefined
        ? DEAL_MESSAGES.dealEndRequired
        : isTooEarly && ADMIN_FIELD_TEXTS.dealEndTooEarly
  })
}

export function parseDealForm(values: DealFormValues, original?: DealTerms): DealTerms {
  return {
    discountPercentage: parsePercent(values.discountPercentage) ?? 0,
    startTime: parseTime(values.startTime, original?.startTime),
    endTime: parseTime(values.endTime, original?.endTime)
  }
}

export function parsePercent(typed: string): number | undefined {
  const percent = Number(typed)
  return /^\d{1,3}(\.\d{1,2})?$/.test(typed.trim()) && percent <= DEAL_PERCENT.max
    ? percent
    : undefined
}

export function lowestPrice(price: number, percent: number): number {
  return toRupees(applyDiscount(fromRupees(price), highestDraw(percent)))
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
  if (highestDraw(deal.discountPercentage) === 0) return 'Not shown, less than 1%'
  if (deal.hidden) return 'Hidden, like its product'
  return state === 'running'
    ? `Running, ${formatTimeLeft(Date.parse(deal.endTime) - now)} left`
    : `Scheduled, starts in ${formatTimeLeft(Date.parse(deal.startTime) - now)}`
}

export const formatDealField = fieldFormatter({
  discountPercentage: (percent: number) => `${percent}%`,
  startTime: formatDayAndTime,
  endTime: formatDayAndTime
})
