import { formatCount } from '../admin/messages.ts'
import { formatShortDay } from '../time.ts'

export const KITCHEN_MESSAGES = {
  dayFree: 'Nothing to cook on this day.',
  allPacked: 'All orders are packed.',
  tickLost: 'A tick could not be saved. The list is up to date again.',
  dayChanged: 'Someone else changed the delivery days. Please try again.',
  dayFailed: 'The day could not be changed.',
  labelsNone: 'Nothing is ordered for this day. Choose a product, or go back to another day.',
  labelsRefused: 'No label can be printed yet. See below why.',
  labelTooLong:
    'The text does not fit on 100 × 70 mm, even in the smallest letters. Shorten the ingredients or the nutrition.',
  askOwner: 'Ask the owner or a manager to add it.'
} as const

export const unsavedTicksText = (count: number): string =>
  `${formatCount(count, 'tick')} not saved yet. Trying again…`
export const nextDayText = (day: string, orders: number): string =>
  `Next: ${formatShortDay(day)}, ${formatCount(orders, 'order')}`
export const withoutPackedText = (count: number): string =>
  `Without ${formatCount(count, 'order')} already packed.`
export const packedCountText = (packed: number, count: number): string =>
  `${packed} of ${count} orders packed`
export const labelCountText = (count: number): string =>
  `${formatCount(count, 'label')} of 100 × 70 mm`
export const dayClosedText = (day: string): string => `${day} is closed for orders`
export const dayOpenedText = (day: string): string => `${day} is open for orders`
