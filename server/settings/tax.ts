import { servedStateText } from '#lib/checkout/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { findState, findStateByCode, isSameState } from '#lib/contract/states.ts'
import { FIELD_TEXTS } from '#lib/contract/formats.ts'

/** They decide which taxes the seller charges and to which states it sells. */
export const SELLER_SECTIONS = ['tax', 'legal', 'shop'] as const
export type SellerSettings = Pick<Settings, (typeof SELLER_SECTIONS)[number]>

export interface DeliveryStates {
  /** '' for all states; null for its own state if that is not known. */
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

/** By GSTIN or, without one, by address; '' if neither names a state. */
export function findOwnState({ legal, shop }: Omit<SellerSettings, 'tax'>): string {
  return findStateByCode(legal.gstin) ?? findState(shop.address.state)
}

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
