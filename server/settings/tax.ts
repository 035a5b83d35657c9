import { findState } from '#lib/account/address.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { CHECKOUT_MESSAGES, servedStateText } from '#lib/checkout/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import type { FieldErrors } from '#lib/errors.ts'
import { TAX_MESSAGES } from '#lib/tax/documents.ts'
import { findStateByCode } from '#lib/tax/states.ts'
import { findTaxRule, OTHER_CATEGORIES, type TaxRule } from '#lib/tax/taxes.ts'

type SellerSettings = Pick<Settings, 'tax' | 'legal' | 'shop'>

export interface DeliveryStates {
  servedState: string
  /** A tax invoice must name the state. */
  needsKnownState: boolean
}

export function toDeliveryStates(settings: SellerSettings): DeliveryStates {
  const { otherStates, status } = settings.tax
  return { servedState: otherStates ? '' : findOwnState(settings), needsKnownState: status === 'regular' }
}

/** Returns why the shop can't deliver to this state. */
export function findStateProblem({ servedState, needsKnownState }: DeliveryStates, state: string): string | undefined {
  const known = findState(state)
  if (servedState !== '' && known !== servedState) return servedStateText(servedState)
  return needsKnownState && known === '' ? CHECKOUT_MESSAGES.stateRequired : undefined
}

/** Returns the seller's state by GSTIN or, without one, by address; '' if neither names a state. */
export function findOwnState({ legal, shop }: Omit<SellerSettings, 'tax'>): string {
  return findStateByCode(legal.gstin) ?? findState(shop.address.state)
}

interface Known extends Omit<SellerSettings, 'tax'> {
  categories: readonly string[]
  unknownProducts: readonly string[]
  /** Day in India. */
  today: string
}

export function findTaxProblems(
  tax: Settings['tax'],
  { unknownProducts, categories, today, ...seller }: Known
): FieldErrors {
  const problems: FieldErrors = {}
  const { status, rates, products, otherStates, accountantAsked } = tax
  if (status !== 'unregistered') {
    if (seller.legal.gstin === '') problems['status'] = TAX_MESSAGES.gstinRequired
    else if (!findStateByCode(seller.legal.gstin)) problems['status'] = TAX_MESSAGES.gstinStateUnknown
  }
  const hasDefault = findTaxRule(tax, { product: '', category: OTHER_CATEGORIES }, today) !== undefined
  if (status === 'regular' && !hasDefault) problems['rates'] = TAX_MESSAGES.ratesIncomplete
  for (const [index, { category }] of rates.entries()) {
    if (category !== OTHER_CATEGORIES && !categories.includes(category)) {
      problems[`rates.${index}.category`] = ADMIN_MESSAGES.categoryUnknown
    }
  }
  for (const [index, { product }] of products.entries()) {
    if (unknownProducts.includes(product)) problems[`products.${index}.product`] = ADMIN_MESSAGES.productIdUnknown
  }
  for (const index of findDuplicates(rates, ({ category }) => category))
    problems[`rates.${index}.from`] = TAX_MESSAGES.ruleDuplicate
  for (const index of findDuplicates(products, ({ product }) => product))
    problems[`products.${index}.from`] = TAX_MESSAGES.ruleDuplicate
  if (status !== 'regular' && otherStates && !accountantAsked)
    problems['accountantAsked'] = TAX_MESSAGES.accountantNotAsked
  if (!otherStates && findOwnState(seller) === '') problems['otherStates'] = TAX_MESSAGES.ownStateUnknown
  return problems
}

/** A registered seller's GSTIN decides between CGST with SGST, and IGST. */
export function findGstinProblem({ status }: Settings['tax'], { gstin }: Settings['legal']): FieldErrors {
  if (status === 'unregistered' || findStateByCode(gstin)) return {}
  return { gstin: gstin === '' ? TAX_MESSAGES.gstinNeeded : TAX_MESSAGES.gstinStateWrong }
}

/** Returns the indexes of rules that begin on the same day as an earlier rule for the same subject. */
function findDuplicates<Rule extends TaxRule>(rules: readonly Rule[], subjectOf: (rule: Rule) => string): number[] {
  const keys = rules.map(rule => `${subjectOf(rule)} ${rule.from}`)
  return keys.flatMap((key, index) => (keys.indexOf(key) < index ? [index] : []))
}
