import type { DeliveryOffer, DeliveryReply } from '#lib/contract/delivery.ts'

export const OFFER: DeliveryOffer = {
  method: 'own',
  zone: 'Tiruchirappalli',
  fee: 60,
  usualFee: 60,
  freeAbove: 500,
  firstDay: '2026-11-24',
  days: [
    { date: '2026-11-24', state: 'open' },
    { date: '2026-11-25', state: 'open' },
    { date: '2026-11-26', state: 'full' },
    { date: '2026-11-29', state: 'closed' },
    { date: '2026-11-30', state: 'few' },
    { date: '2026-12-01', state: 'open' }
  ],
  problems: [],
  warnings: []
}

export const PICKUP: DeliveryOffer = {
  ...OFFER,
  method: 'pickup',
  zone: '',
  fee: 0,
  usualFee: 0,
  freeAbove: null
}

export const PINCODE_REPLY: DeliveryReply = {
  pincode: '620018',
  isKnown: true,
  states: ['Tamil Nadu'],
  district: 'Tiruchirappalli',
  town: 'Tiruchirappalli',
  areas: ['Thillai Nagar'],
  delivery: OFFER,
  stateProblem: '',
  notes: [],
  minimumOrder: 0,
  pickup: null,
  pickupText: ''
}

/** Replies to `GET /delivery` as a shop without zones, unless there are changes. */
export function answerPincode(changes: Partial<DeliveryReply> = {}): (url: string) => Response {
  return url => {
    const pincode = new URL(url, 'http://shop.test').searchParams.get('pincode') ?? ''
    const place = PLACES[pincode.slice(0, 2)] ?? { states: [], district: '' }
    const { district: town } = place
    return Response.json({
      ...PINCODE_REPLY,
      areas: [],
      delivery: FREE_OFFER,
      ...place,
      town,
      pincode,
      ...changes
    })
  }
}

const FREE_OFFER: DeliveryOffer = {
  ...OFFER,
  zone: '',
  fee: 0,
  usualFee: 0,
  freeAbove: null,
  days: []
}

const PLACES: Partial<Record<string, Pick<DeliveryReply, 'states' | 'district'>>> = {
  '56': { states: ['Karnataka'], district: 'Bengaluru' },
  '62': { states: ['Tamil Nadu'], district: 'Tiruchirappalli' },
  '64': { states: ['Tamil Nadu'], district: 'Coimbatore' }
}
