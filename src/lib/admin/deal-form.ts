import { DEAL_PERCENT } from '../constants.ts'
import type { AdminDeal, DealChange } from '../contract/deals.ts'
import { formatTimeLeft, highestDraw } from '../deal-view.ts'
import { applyDiscount, fromRupees, toRupees } from '../money.ts'
import { formatDayAndTime } from '../time.ts'
import { field, timeField, type InputSpec, type RecordForm, type Typed } from './fields.ts'
import {
  findProblems,
  labelsOf,
  parseNumber,
  parseTyped,
  toTyped,
  fieldFormatter
} from './field-values.ts'

export const DEAL_MESSAGES = {
  dealProductRequired: 'Please choose a product',
  dealPercentInvalid: 'Please enter a percentage from 0 to 100, such as 20 or 12.5',
  dealTimeInvalid: 'Please enter a date and time',
  dealStartRequired: 'Please enter the date and time of the start',
  dealEndRequired: 'Please enter the date and time of the end',
  dealEndTooEarly: 'The deal must end after it starts.',
  dealEndPast: 'The deal must end in the future.',
  dealDeleted: 'Discounted product deleted successfully'
} as const

const PERCENT: InputSpec = field('percent', 'discountPercentage', 'Discount', {
  hint: 'The highest discount a customer can get.',
  formLabel: 'Discount (%)',
  max: DEAL_PERCENT.max,
  problem: DEAL_MESSAGES.dealPercentInvalid
})
export const DEAL_SPECS: readonly InputSpec[] = [
  field('product', 'productId', 'Product', {
    empty: 'Choose a product',
    problem: DEAL_MESSAGES.dealProductRequired
  }),
  PERCENT,
  timeField('startTime', 'Start', DEAL_MESSAGES.dealStartRequired),
  timeField('endTime', 'End', DEAL_MESSAGES.dealEndRequired)
]

export type DealFields = Omit<DealChange, 'version'> & { productId: string }
type DealTerms = Omit<DealFields, 'productId'>
export const EMPTY_DEAL: Typed = toTyped(DEAL_SPECS, {})

export function toDealFields(deal: AdminDeal): DealFields {
  const { product, discountPercentage, startTime, endTime } = deal
  return { productId: product._id, discountPercentage, startTime, endTime }
}

export const DEAL_FORM: RecordForm<AdminDeal, DealFields> = {
  specs: DEAL_SPECS,
  labels: labelsOf(DEAL_SPECS),
  format: fieldFormatter({
    discountPercentage: (percent: number) => `${percent}%`,
    startTime: formatDayAndTime,
    endTime: formatDayAndTime
  }),
  toFields: toDealFields,
  toTyped: deal => toTyped(DEAL_SPECS, toDealFields(deal)),
  parse: (typed, before) => parseTyped(DEAL_SPECS, typed, before) as unknown as DealFields,
  check: fields => ({
    ...(fields.endTime <= fields.startTime && { endTime: DEAL_MESSAGES.dealEndTooEarly }),
    ...findProblems(DEAL_SPECS, fields)
  })
}

export function toRepeatTyped(deal: AdminDeal): Typed {
  return { ...DEAL_FORM.toTyped(deal), startTime: '', endTime: '' }
}

export function parsePercent(typed: unknown): number | undefined {
  return parseNumber(PERCENT, String(typed))
}

export function lowestPrice(price: number, percent: number): number {
  return toRupees(applyDiscount(fromRupees(price), highestDraw(percent)))
}

export function formatRunTime({ startTime, endTime }: Typed): string | undefined {
  const length = Date.parse(`${String(endTime)}Z`) - Date.parse(`${String(startTime)}Z`)
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
