import * as z from 'zod/mini'
import { ADMIN_MESSAGES } from '../admin/messages.ts'
import { SETTING_LIMITS } from '../constants.ts'
import { optionalText } from './values.ts'

/** Either empty or valid. An empty text means that the owner has not given the fact. */
export const optional = (isValid: (text: string) => boolean, error: string, max: number = SETTING_LIMITS.line) =>
  optionalText(max).check(z.refine(value => value === '' || isValid(value), { error }))

export const items = <Item extends z.core.$ZodType>(item: Item, max: number = SETTING_LIMITS.list) =>
  z.array(item).check(z.maxLength(max, ADMIN_MESSAGES.listTooLong))

/** At most the highest minimum order. */
export const rupees = z
  .number(ADMIN_MESSAGES.amountInvalid)
  .check(
    z.minimum(0, ADMIN_MESSAGES.amountInvalid),
    z.maximum(SETTING_LIMITS.minimumOrder, ADMIN_MESSAGES.amountInvalid),
    z.multipleOf(0.01, ADMIN_MESSAGES.amountInvalid)
  )

export function isWebAddress(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value)
}
