import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { isElsewhereMissing } from '#lib/delivery/zones.ts'
import { type FieldErrors, ShopError } from '#lib/errors.ts'
import { findUnknownPlaceholder, PLACEHOLDER_LIST } from '#lib/settings.ts'
import { findPincodeProblems } from '../platform/pincodes/pincodes.ts'
import { ADMIN_FIELD_TEXTS } from '#lib/contract/admin-field-texts.ts'

const texts = {
  zoneDuplicate: 'Another zone has this name',
  transitReversed: 'This must be at least the shortest time of the courier',
  elsewhereFeeMissing: 'Please enter the fee, or 0 for free delivery',
  leadTooLong: 'This must be at least the days to prepare',
  neverOpen: 'The kitchen would always be closed. Please leave a day open.'
}

/** Renders Markdown as the site does. Throws TEXT_NOT_RENDERABLE. */
export async function renderText(
  content: string,
  isPage?: (path: string) => boolean
): Promise<string> {
  // Loaded on demand because the renderer takes several MB of memory.
  const { renderMarkdown } = await import('#content/render-markdown.ts')
  try {
    return renderMarkdown(content, isPage)
  } catch (cause) {
    throw new ShopError('TEXT_NOT_RENDERABLE', {
      cause,
      fields: { content: ADMIN_MESSAGES.textNotRenderable }
    })
  }
}

export async function findTextProblems(text: string): Promise<FieldErrors> {
  const placeholder = findUnknownPlaceholder(text)
  if (placeholder !== undefined)
    return { text: `{${placeholder}} is not known. You can use ${PLACEHOLDER_LIST}.` }
  try {
    await renderText(text)
    return {}
  } catch (error) {
    if (error instanceof ShopError && error.code === 'TEXT_NOT_RENDERABLE') {
      return { text: ADMIN_MESSAGES.textNotRenderable }
    }
    throw error
  }
}

export function findAt<Item>(
  items: readonly Item[],
  isWrong: (item: Item, index: number) => boolean,
  { path, text }: { path: (index: number) => string; text: string }
): FieldErrors {
  const wrong = items.flatMap((item, index) => (isWrong(item, index) ? [[path(index), text]] : []))
  return Object.fromEntries(wrong) as FieldErrors
}

export function findShopPincodeProblems(address: Settings['shop']['address']): FieldErrors {
  return address.pincode === '' ? {} : findPincodeProblems(address, 'address')
}

export function findZoneProblems(delivery: Settings['delivery']): FieldErrors {
  const { zones, elsewhere, elsewhereFee, elsewhereDays } = delivery
  const problems: FieldErrors = {}
  const names = zones.map(({ name }) => name.toLowerCase())
  for (const [index, { method, transitMin, transitMax }] of zones.entries()) {
    if (names.indexOf(names[index] ?? '') < index)
      problems[`zones.${index}.name`] = texts.zoneDuplicate
    if (method === 'courier' && transitMax < transitMin)
      problems[`zones.${index}.transitMax`] = texts.transitReversed
  }
  if (isElsewhereMissing(delivery)) problems['elsewhere'] = ADMIN_FIELD_TEXTS.elsewhereMissing
  if (elsewhere !== 'courier') return problems
  if (elsewhereFee === null) problems['elsewhereFee'] = texts.elsewhereFeeMissing
  if (elsewhereDays === null) problems['elsewhereDays'] = ADMIN_FIELD_TEXTS.elsewhereDaysMissing
  return problems
}

export function findCalendarProblems(
  calendar: Settings['calendar'],
  categories: readonly string[]
): FieldErrors {
  const problems: FieldErrors = {}
  const { leadDays, daysAhead, closedWeekdays } = calendar
  if (daysAhead < leadDays) problems['daysAhead'] = texts.leadTooLong
  if (new Set(closedWeekdays).size === 7) problems['closedWeekdays'] = texts.neverOpen
  for (const field of ['longCategories', 'eventCategories'] as const) {
    if (!calendar[field].every(name => categories.includes(name)))
      problems[field] = ADMIN_MESSAGES.categoryUnknown
  }
  return problems
}
