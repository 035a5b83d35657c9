export const DELIVERY_MESSAGES = {
  pincodeUnknown: 'There is no such pincode. Please check it.',
  notDelivered: 'We don’t deliver to this pincode.',
  dayClosed: 'This day is no longer open. Please choose another one.',
  dayFull: 'This day is full. Please choose another one.',
  noteOff: 'Notes are switched off at the moment. Please remove yours.',
  eventOff: 'These items are not made for an event time. Please remove it.',
  eventBeforeDelivery: 'Your event is before the delivery. Please choose an earlier delivery date.',
  localOnly: 'This does not travel well by courier, so we deliver it only near our kitchen.'
} as const

export function stateConflictText(pincode: string, states: readonly string[]): string {
  return `${pincode} is in ${states.join(' or ')}`
}
