import { toProblems, type Problems } from '../account/forms.ts'
import { COUPON_LIMITS } from '../constants.ts'
import type { AdminCoupon, CouponFields } from '../contract/coupons.ts'
import { formatRupees } from '../money.ts'
import { formatDayAndTime, toIndianDateTime } from '../time.ts'
import { normalizeCouponCode } from '../contract/formats.ts'
import { fieldFormatter, parseTime, splitList } from './form.ts'
import { ADMIN_MESSAGES } from './messages.ts'

/** In display order. `categories` has the chosen names, separated by commas. */
const EMPTY_COUPON = {
  code: '',
  kind: 'percent',
  discount: '',
  minimum: '',
  startTime: '',
  endTime: '',
  maxUses: '',
  oncePerPerson: 'yes',
  mayBeFree: 'no',
  categories: ''
}
type CouponFormField = keyof typeof EMPTY_COUPON
export type CouponFormValues = Record<CouponFormField, string>
export const COUPON_FORM_FIELDS = Object.keys(EMPTY_COUPON) as CouponFormField[]

export const COUPON_LABELS: Readonly<Record<keyof CouponFields, string>> = {
  code: 'Code',
  percent: 'Discount in percent',
  amount: 'Discount in rupees',
  minimum: 'Minimum order',
  startTime: 'Start',
  endTime: 'End',
  oncePerPerson: 'Once per person',
  maxUses: 'Number of uses',
  categories: 'Categories',
  mayBeFree: 'May make products free'
}

export function createEmptyCoupon(now: number): CouponFormValues {
  return { ...EMPTY_COUPON, startTime: toIndianDateTime(new Date(now).toISOString()) }
}

export function toCouponFormValues(coupon: CouponFields): CouponFormValues {
  const {
    code,
    percent,
    amount,
    minimum,
    startTime,
    endTime,
    maxUses,
    oncePerPerson,
    mayBeFree,
    categories
  } = coupon
  return {
    code,
    kind: percent === null ? 'amount' : 'percent',
    discount: String(percent ?? amount ?? ''),
    minimum: minimum === 0 ? '' : String(minimum),
    startTime: toIndianDateTime(startTime),
    endTime: endTime === null ? '' : toIndianDateTime(endTime),
    maxUses: String(maxUses ?? ''),
    oncePerPerson: oncePerPerson ? 'yes' : 'no',
    mayBeFree: mayBeFree ? 'yes' : 'no',
    categories: categories.join(',')
  }
}

export function extractCouponFields(coupon: AdminCoupon): CouponFields {
  const {
    id: _,
    version: _version,
    state: _state,
    uses: _uses,
    createdAt: _createdAt,
    ...fields
  } = coupon
  return fields
}

/** The texts differ, because a form shows equal texts only once. */
export function validateCoupon(values: CouponFormValues): Problems<CouponFormField> {
  const { code, percent, amount, minimum, startTime, endTime, maxUses } = parseCouponForm(values)
  const { minCode, maxRupees, uses } = COUPON_LIMITS
  const isCode =
    /^[A-Z0-9-]+$/.test(code) && code.length >= minCode && code.length <= COUPON_LIMITS.code
  const isDiscount =
    percent === null
      ? isAmount(amount ?? 0, 1, maxRupees)
      : Number.isInteger(percent) && percent >= 1 && percent <= 100
  const isCount = maxUses === null || (Number.isInteger(maxUses) && maxUses >= 1 && maxUses <= uses)
  return toProblems({
    code: !isCode && ADMIN_MESSAGES.couponCodeInvalid,
    discount: !isDiscount && ADMIN_MESSAGES.couponDiscountInvalid,
    minimum: !isAmount(minimum, 0, maxRupees) && ADMIN_MESSAGES.couponMinimumInvalid,
    startTime: startTime === '' && ADMIN_MESSAGES.couponStartRequired,
    endTime: endTime !== null && endTime <= startTime && ADMIN_MESSAGES.couponEndTooEarly,
    maxUses: !isCount && ADMIN_MESSAGES.couponUsesInvalid
  })
}

function isAmount(rupees: number, min: number, max: number): boolean {
  return rupees >= min && rupees <= max && Math.abs(Math.round(rupees * 100) - rupees * 100) < 1e-6
}

export function parseCouponForm(values: CouponFormValues, original?: CouponFields): CouponFields {
  const isPercent = values.kind === 'percent'
  return {
    code: normalizeCouponCode(values.code),
    percent: isPercent ? toNumber(values.discount) : null,
    amount: isPercent ? null : toNumber(values.discount),
    minimum: toNumber(values.minimum),
    startTime: parseTime(values.startTime, original?.startTime),
    endTime: values.endTime === '' ? null : parseTime(values.endTime, original?.endTime),
    oncePerPerson: values.oncePerPerson === 'yes',
    maxUses: values.maxUses.trim() === '' ? null : toNumber(values.maxUses),
    categories: splitList(values.categories),
    mayBeFree: values.mayBeFree === 'yes'
  }
}

/** Without text it is 0. Owners may type ₹1,000. */
function toNumber(typed: string): number {
  return Number(typed.replace(/[\s,₹%]/g, ''))
}

export function formatCouponDiscount({
  percent,
  amount
}: Pick<CouponFields, 'percent' | 'amount'>): string {
  return percent === null ? formatRupees(amount ?? 0) : `${percent}%`
}

export const COUPON_STATES: Readonly<Record<AdminCoupon['state'], string>> = {
  scheduled: 'Scheduled',
  running: 'Running',
  used_up: 'Used up',
  ended: 'Ended'
}

export function formatUses({ uses, maxUses }: Pick<AdminCoupon, 'uses' | 'maxUses'>): string {
  return maxUses === null ? String(uses) : `${uses} of ${maxUses}`
}

export const formatCouponField = fieldFormatter({
  percent: (percent: number) => `${percent}%`,
  amount: formatRupees,
  minimum: formatRupees,
  startTime: formatDayAndTime,
  endTime: formatDayAndTime
})
