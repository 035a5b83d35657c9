import type { Shipment } from '../contract/fulfilment.ts'

/** Tracking pages of couriers in India. Where the address has no `{number}`, shoppers enter it on the page. */
const COURIERS: Readonly<Record<string, string>> = {
  'ST Courier': 'https://stcourier.com/track/shipment',
  'Professional Couriers': 'https://www.tpcindia.com/',
  DTDC: 'https://www.dtdc.com/track-your-shipment/',
  'India Post (Speed Post)': 'https://www.indiapost.gov.in/',
  Delhivery: 'https://www.delhivery.com/track-v2/package/{number}',
  'Blue Dart': 'https://www.bluedart.com/trackdartresultthirdparty?trackFor=0&trackNo={number}'
}

export const COURIER_NAMES = Object.keys(COURIERS)

export function isKnownCourier(courier: string): boolean {
  return findPage(courier) !== undefined
}

/** `link`: the tracking page of a courier that is not in the list. */
export function toShipment(courier: string, trackingNumber: string, link: string): Shipment {
  const page = findPage(courier)
  const address = page?.replace('{number}', encodeURIComponent(trackingNumber)) ?? link
  // Without a number, a page has nothing to show.
  return { courier, trackingNumber, trackingLink: page !== undefined && trackingNumber === '' ? '' : address }
}

function findPage(courier: string): string | undefined {
  const name = COURIER_NAMES.find(each => each.toLowerCase() === courier.trim().toLowerCase())
  return name === undefined ? undefined : COURIERS[name]
}
