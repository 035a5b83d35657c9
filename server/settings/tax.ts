import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { servedStateText } from '#lib/checkout/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import type { FieldErrors } from '#lib/errors.ts'
import { findState, findStateByCode, isSameState } from '#lib/contract/states.ts'
import { findTaxRule, OTHER_CATEGORIES, type TaxRule } from '#lib/tax/taxes.ts'
import { findAt } from './checks.ts'
import { FIELD_TEXTS } from '#lib/contract/field-texts.ts'

const texts = {
  /** The first two digits of a GSTIN are the code of the seller's state. */
  statesDiffer: (byGstin: string, byAddress: string) =>
    `The GSTIN is for ${byGstin}, but the address under Shop details is in ${byAddress}`,
  gstinRequired: 'Please enter your GSTIN under Legal first',
  gstinNeeded: 'The section Tax needs the GSTIN. Choose “Not registered” there first.',
  gstinStateWrong: 'The first two digits are not the code of a state',
  gstinStateUnknown: 'The GSTIN under Legal does not begin with the code of a state',
  ratesIncomplete: 'Please add a rate for “All other categories” that applies today',
  ruleDuplicate: 'Another rate begins on the same day',
  accountantNotAsked:
    'Please ask an accountant first, then tick this. Or deliver only within your state.',
  ownStateUnknown: 'Please choose the state of your address under Shop details first',
  ownStateNeeded: 'The section Tax needs your state, because you deliver only within it'
}

/** They decide which taxes the seller charges and, with that, to which states it sells. */
export const SELLER_SECTIONS = ['tax', 'legal', 'shop'] as const
type SellerSection = (typeof SELLER_SECTIONS)[number]
export type SellerSettings = Pick<Settings, SellerSection>

export interface DeliveryStates {
  /** '' for all states; null, thus none, for its own state if that is not known. */
  servedState: string | null
  /** A tax invoice must name the state. */
  needsKnownState: boolean
}

export function toDeliveryStates(settings: SellerSettings): DeliveryStates {
  const { otherStates, status } = settings.tax
  return {
    servedState: otherStates ? '' : findOwnState(settings) || null,
    needsKnownState: status === 'regular'
  }
}

export function findStateProblem(
  { servedState, needsKnownState }: DeliveryStates,
  state: string
): string | undefined {
  if (servedState !== '' && !isSameState(servedState ?? '', state))
    return servedStateText(servedState)
  return needsKnownState && findState(state) === '' ? FIELD_TEXTS.stateRequired : undefined
}

/** Returns the seller's state by GSTIN or, without one, by address; '' if neither names a state. */
export function findOwnState({ legal, shop }: Omit<SellerSettings, 'tax'>): string {
  return findStateByCode(legal.gstin) ?? findState(shop.address.state)
}

interface Known {
  categories: readonly string[]
  unknownProducts: readonly string[]
  /** Day in India. */
  today: string
}

export function findTaxProblems(
  tax: Settings['tax'],
  { unknownProducts, categories, today }: Known
): FieldErrors {
  const { status, rates, products } = tax
  const other = { product: '', category: OTHER_CATEGORIES }
  const isIncomplete = status === 'regular' && findTaxRule(tax, other, today) === undefined
  return {
    ...(isIncomplete && { rates: texts.ratesIncomplete }),
    ...findAt(
      rates,
      ({ category: name }) => name !== OTHER_CATEGORIES && !categories.includes(name),
      {
        path: index => `rates.${index}.category`,
        text: ADMIN_MESSAGES.categoryUnknown
      }
    ),
    ...findAt(products, ({ product }) => unknownProducts.includes(product), {
      path: index => `products.${index}.product`,
      text: ADMIN_MESSAGES.productIdUnknown
    }),
    ...findDuplicates('rates', rates, ({ category }) => category),
    ...findDuplicates('products', products, ({ product }) => product),
    ...(mustAskAccountant(tax) && { accountantAsked: texts.accountantNotAsked })
  }
}

/** Only regular sellers may sell to other states without asking. */
export function mustAskAccountant({
  status,
  otherStates,
  accountantAsked
}: Settings['tax']): boolean {
  return status !== 'regular' && otherStates && !accountantAsked
}

export function isAddressElsewhere({ legal, shop }: Omit<SellerSettings, 'tax'>): boolean {
  const [byGstin, byAddress] = [findStateByCode(legal.gstin), findState(shop.address.state)]
  return byGstin !== undefined && byAddress !== '' && byAddress !== byGstin
}

/** By field of the changed section. The GSTIN decides in which state the seller is. */
export function findSellerProblems(
  changed: SellerSection,
  before: SellerSettings,
  { tax, legal, shop }: SellerSettings
): FieldErrors {
  const isTax = changed === 'tax'
  const [byGstin, byAddress] = [findStateByCode(legal.gstin), findState(shop.address.state)]
  const field = { tax: 'status', legal: 'gstin', shop: 'address.state' }[changed]
  if (byGstin) {
    // A new GSTIN comes first, and the address follows, so that a seller can move to another state.
    const mayDiffer = !isTax && byAddress === findState(before.shop.address.state)
    const differs = !mayDiffer && isAddressElsewhere({ legal, shop })
    return differs ? { [field]: texts.statesDiffer(byGstin, byAddress) } : {}
  }
  if (tax.status !== 'unregistered' && changed !== 'shop') {
    const [missing, wrong] = isTax
      ? [texts.gstinRequired, texts.gstinStateUnknown]
      : [texts.gstinNeeded, texts.gstinStateWrong]
    return { [field]: legal.gstin === '' ? missing : wrong }
  }
  if (tax.otherStates || byAddress !== '') return {}
  return isTax ? { otherStates: texts.ownStateUnknown } : { [field]: texts.ownStateNeeded }
}

function findDuplicates<Rule extends TaxRule>(
  field: string,
  rules: readonly Rule[],
  subjectOf: (rule: Rule) => string
): FieldErrors {
  const keys = rules.map(rule => `${subjectOf(rule)} ${rule.from}`)
  return findAt(keys, (key, index) => keys.indexOf(key) < index, {
    path: index => `${field}.${index}.from`,
    text: texts.ruleDuplicate
  })
}
