import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { DELIVERY_MESSAGES } from '#lib/delivery/messages.ts'
import type { FieldErrors } from '#lib/errors.ts'

/** Returns error texts by field. */
export function findZoneProblems({ zones }: Settings['delivery']): FieldErrors {
  const problems: FieldErrors = {}
  const names = zones.map(({ name }) => name.toLowerCase())
  for (const [index, { method, transitMin, transitMax }] of zones.entries()) {
    if (names.indexOf(names[index] ?? '') < index) problems[`zones.${index}.name`] = DELIVERY_MESSAGES.zoneDuplicate
    if (method === 'courier' && transitMax < transitMin)
      problems[`zones.${index}.transitMax`] = DELIVERY_MESSAGES.transitReversed
  }
  return problems
}

/** Returns error texts by field. `categories` are the names of those that exist. */
export function findCalendarProblems(calendar: Settings['calendar'], categories: readonly string[]): FieldErrors {
  const problems: FieldErrors = {}
  const { leadDays, daysAhead, closedWeekdays } = calendar
  if (daysAhead < leadDays) problems['daysAhead'] = DELIVERY_MESSAGES.leadTooLong
  if (new Set(closedWeekdays).size === 7) problems['closedWeekdays'] = DELIVERY_MESSAGES.neverOpen
  for (const field of ['longCategories', 'eventCategories'] as const) {
    if (!calendar[field].every(name => categories.includes(name))) problems[field] = ADMIN_MESSAGES.categoryUnknown
  }
  return problems
}
