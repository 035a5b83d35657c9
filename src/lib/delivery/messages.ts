export const DELIVERY_MESSAGES = {
  zoneDuplicate: 'Another zone has this name',
  transitReversed: 'This must be at least the shortest time of the courier',
  elsewhereFeeMissing: 'Please enter the fee, or 0 for free delivery',
  leadTooLong: 'This must be at least the days to prepare',
  neverOpen: 'The kitchen would always be closed. Please leave a day open.',
  pincodeUnknown: 'There is no such pincode. Please check it.',
  notDelivered: 'We don’t deliver to this pincode.',
  dayClosed: 'This day is no longer open. Please choose another one.',
  dayFull: 'This day is full. Please choose another one.',
  noteOff: 'Notes are switched off at the moment. Please remove yours.',
  eventOff: 'These items are not made for an event time. Please remove it.',
  eventBeforeDelivery: 'Your event is before the delivery. Please choose an earlier delivery date.',
  notAllProducts: 'Some of our products don’t travel that far.',
  localOnly: 'This does not travel well by courier, so we deliver it only near our kitchen.'
} as const

/** `shelfLife` and `transit` are in days. */
export function tooLongForCourierText(shelfLife: number, transit: number): string {
  return `Best within ${dayCount(shelfLife)}, but the courier takes up to ${dayCount(transit)}.`
}

/** `shelfLife` and `left` are in days. */
export function littleShelfLifeText(shelfLife: number, left: number): string {
  return `Best within ${dayCount(shelfLife)}. It may arrive with only ${dayCount(left)} left.`
}

/** `leadDays` is the time from the order to the delivery. */
export function leadDaysText(leadDays: number): string {
  return leadDays === 0 ? 'the day you order' : `${dayCount(leadDays)} after you order`
}

function dayCount(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

export function unknownPincodeText(pincode: string): string {
  return `We don’t know ${pincode}. Please check it. If it is right, press Pay Now again.`
}

export function stateConflictText(pincode: string, states: readonly string[]): string {
  return `${pincode} is in ${states.join(' or ')}`
}
