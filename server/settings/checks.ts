import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { toSearchText } from '#lib/contract/formats.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { findState, findStateByCode } from '#lib/contract/states.ts'
import { t } from '#lib/contract/texts.ts'
import { isClosedOn, reopeningText } from '#lib/delivery/calendar.ts'
import { isElsewhereMissing } from '#lib/delivery/terms.ts'
import { type FieldErrors, ShopError } from '#lib/errors.ts'
import { findUnknownPlaceholder, PLACEHOLDER_LIST } from '#lib/settings.ts'
import { findTaxRule, OTHER_CATEGORIES } from '#lib/tax/taxes.ts'
import { toDayInIndia } from '#lib/time.ts'
import { isAddressElsewhere, mustAskAccountant, type SellerSettings } from './tax.ts'

export function requireOpen({ closed }: Pick<Settings['orders'], 'closed'>, now: number): void {
  if (!isClosedOn(closed, toDayInIndia(now))) return
  throw new ShopError('SHOP_CLOSED', {
    message: `${CHECKOUT_MESSAGES.shopClosed}. ${reopeningText(closed)}`
  })
}

/** Throws TEXT_NOT_RENDERABLE. */
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
    return {
      text: t('{placeholder} is not known. You can use {list}.', {
        placeholder: `{${placeholder}}`,
        list: PLACEHOLDER_LIST
      })
    }
  try {
    await renderText(text)
    return {}
  } catch (error) {
    if (!(error instanceof ShopError) || error.code !== 'TEXT_NOT_RENDERABLE') throw error
    return { text: ADMIN_MESSAGES.textNotRenderable }
  }
}

/** `path` names a field of an item, with `*` for the item's index. */
export function findAt<Item>(
  path: string,
  items: readonly Item[],
  isWrong: (item: Item, index: number) => boolean,
  text: string
): FieldErrors {
  const wrong = items.flatMap((item, index) =>
    isWrong(item, index) ? [[path.replace('*', String(index)), text]] : []
  )
  return Object.fromEntries(wrong) as FieldErrors
}

export function findDuplicates(path: string, keys: readonly string[], text: string): FieldErrors {
  return findAt(path, keys, (key, index) => keys.indexOf(key) < index, text)
}

export function findZoneProblems(delivery: Settings['delivery']): FieldErrors {
  const { zones, elsewhere, elsewhereFee, elsewhereDays } = delivery
  const isCourier = elsewhere === 'courier'
  return {
    ...findDuplicates(
      'zones.*.name',
      // The name of a chosen place is not a field of the form.
      zones.map(({ name, area = 'typed' }, index) =>
        area === 'typed' ? toSearchText(name) : String(index)
      ),
      t('This name is already in the list')
    ),
    ...findDuplicates(
      'zones.*.area',
      zones.map(({ area = 'typed' }, index) => (area === 'typed' ? String(index) : area)),
      t('This place is already in the list')
    ),
    ...findAt(
      'zones.*.pincodes',
      zones,
      ({ area = 'india', pincodes }) => area !== 'india' && pincodes === '',
      t('Please enter pincodes such as 620001-620026, 6210, 625')
    ),
    ...(isElsewhereMissing(delivery) && { elsewhere: ADMIN_MESSAGES.elsewhereMissing }),
    ...(isCourier &&
      elsewhereFee === null && {
        elsewhereFee: t('Please enter the fee, or 0 for free delivery')
      }),
    ...(isCourier &&
      elsewhereDays === null && { elsewhereDays: ADMIN_MESSAGES.elsewhereDaysMissing })
  }
}

export function findCalendarProblems(
  calendar: Settings['calendar'],
  categories: readonly string[]
): FieldErrors {
  const { leadDays, daysAhead, closedWeekdays } = calendar
  const unknown = (['longCategories', 'eventCategories'] as const).filter(
    field => !calendar[field].every(name => categories.includes(name))
  )
  return {
    ...(daysAhead < leadDays && {
      daysAhead: t('This must be at least the days before you need an order')
    }),
    ...(new Set(closedWeekdays).size === 7 && {
      closedWeekdays: t('You would be closed on all days. Please leave a day open.')
    }),
    ...Object.fromEntries(unknown.map(field => [field, ADMIN_MESSAGES.categoryUnknown]))
  }
}

interface Known {
  categories: readonly string[]
  unknownProducts: readonly string[]
  today: string
}

export function findTaxProblems(
  tax: Settings['tax'],
  { unknownProducts, categories, today }: Known
): FieldErrors {
  const { status, rates, products } = tax
  const known = [OTHER_CATEGORIES, ...categories]
  const other = { product: '', category: OTHER_CATEGORIES }
  const isIncomplete = status === 'regular' && findTaxRule(tax, other, today) === undefined
  const ratesOfDay = rates.map(({ category, from }) => `${category} ${from}`)
  const productsOfDay = products.map(({ product, from }) => `${product} ${from}`)
  const duplicate = t('Another rate begins on the same day')
  return {
    ...(isIncomplete && {
      rates: t('Please add a rate for “All other categories” that applies today')
    }),
    ...findAt(
      'rates.*.category',
      rates,
      ({ category }) => !known.includes(category),
      ADMIN_MESSAGES.categoryUnknown
    ),
    ...findAt(
      'products.*.product',
      products,
      ({ product }) => unknownProducts.includes(product),
      ADMIN_MESSAGES.productIdUnknown
    ),
    ...findDuplicates('rates.*.from', ratesOfDay, duplicate),
    ...findDuplicates('products.*.from', productsOfDay, duplicate),
    ...(mustAskAccountant(tax) && {
      accountantAsked: t(
        'Please ask an accountant first, then tick this. Or deliver only within your state.'
      )
    })
  }
}

const SELLER_FIELDS = { tax: 'status', legal: 'gstin', shop: 'address.state' } as const

/** The GSTIN decides in which state the seller is. */
export function findSellerProblems(
  changed: keyof SellerSettings,
  before: SellerSettings,
  { tax, legal, shop }: SellerSettings
): FieldErrors {
  const isTax = changed === 'tax'
  const [byGstin, byAddress] = [findStateByCode(legal.gstin), findState(shop.address.state)]
  const field = SELLER_FIELDS[changed]
  if (byGstin) {
    // A seller who moves to another state enters the new GSTIN first, then the address.
    const mayDiffer = !isTax && byAddress === findState(before.shop.address.state)
    if (mayDiffer || !isAddressElsewhere({ legal, shop })) return {}
    return {
      [field]: t(
        'The GST number is for {state}, but the address under Shop details is in {other}',
        { state: byGstin, other: byAddress }
      )
    }
  }
  if (tax.status !== 'unregistered' && changed !== 'shop') {
    const [missing, wrong] = isTax
      ? [
          t('Please enter your GST number'),
          t('The first two digits of your GST number are not those of a state')
        ]
      : [
          t('Tax says that you have a GST number. Answer “No” there first.'),
          t('The first two digits are not the code of a state')
        ]
    return { [field]: legal.gstin === '' ? missing : wrong }
  }
  if (tax.otherStates || byAddress !== '') return {}
  return isTax
    ? { otherStates: t('Please choose the state of your address under Shop details first') }
    : { [field]: t('The section Tax needs your state, because you deliver only within it') }
}
