import { findState } from '#lib/account/address.ts'
import { findPlace } from '#lib/checkout/pincodes.ts'
import { stateConflictText } from '#lib/delivery/messages.ts'

export interface PincodeInfo {
  /** False if the first three digits exist but the whole pincode is not in the table. */
  isKnown: boolean
  /** States that the pincode can belong to; some belong to two. Empty if not known. */
  states: readonly string[]
  district: string
  /** Post offices. */
  areas: readonly string[]
}

/** Returns undefined if the first three digits don't exist. */
export function findPincode(pincode: string): PincodeInfo | undefined {
  const place = findPlace(pincode)
  return place && { isKnown: true, states: [place.state], district: place.district ?? '', areas: [] }
}

/** Returns why this state can't be that of the pincode, such as '560001 is in Karnataka'. */
export function findStateConflict(pincode: string, state: string): string | undefined {
  const states = findPincode(pincode)?.states ?? []
  return states.length === 0 || states.includes(findState(state)) ? undefined : stateConflictText(pincode, states)
}
