import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reopeningText, toOrderTime } from '#lib/delivery/calendar.ts'
import { type DeliveryOffer, DeliveryQuery, DeliveryReply } from '#lib/contract/delivery.ts'
import type { ShopSettings } from '#lib/contract/settings.ts'
import {
  type DayLoad,
  type DeliveryRules,
  type DeliveryTerms,
  findTerms,
  type ProductFacts,
  toDayState
} from '#lib/delivery/terms.ts'
import { ShopError } from '#lib/errors.ts'
import { fromRupees, multiply, sumPaise, toRupees } from '#lib/money.ts'
import { MINUTE } from '#lib/time.ts'
import type { Db } from '../platform/db/tables.ts'
import { limitRequests } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { findPincode } from '../platform/pincodes/pincodes.ts'
import { findStateProblem } from '../settings/tax.ts'
import { readDayLoads } from './places.ts'

const texts = { notAllProducts: 'Some of our products don’t travel that far.' }

/** `price` in rupees. */
export type OfferedProduct = ProductFacts & { price: number }

interface OfferQuestion {
  pincode: string
  /** Cart lines such as 'mysore-pak:2,murukku:1'. */
  items: string | undefined
  rules: DeliveryRules
  shop: Pick<ShopSettings, 'tax' | 'orders'>
  products: ReadonlyMap<string, OfferedProduct>
  now: number
}

const NO_LOAD: DayLoad = { orders: 0, units: 0 }

/** Fees are before drawn discounts and coupon, which only the quote knows. */
async function findOffers(
  db: Db,
  { pincode, items, ...question }: OfferQuestion
): Promise<DeliveryReply> {
  const { rules, shop, products } = question
  const now = toOrderTime(rules.closed, question.now)
  const place = findPincode(pincode)
  if (!place) throw new ShopError('PINCODE_UNKNOWN')
  const lines = parseItems(items ?? '', products)
  const goods = sumPaise(lines.map(({ price, quantity }) => multiply(fromRupees(price), quantity)))
  const { servedState } = shop.tax
  const stateProblems = place.states.map(state =>
    findStateProblem({ servedState, needsKnownState: false }, state)
  )
  const stateText = stateProblems.find(Boolean) ?? ''
  const mayDeliver = stateProblems.includes(undefined)
  const delivery = mayDeliver
    ? findTerms(rules, { items: lines, goods, to: { pincode }, now })
    : undefined
  const pickup = findTerms(rules, { items: lines, goods, to: 'pickup', now })
  const allProducts =
    items === undefined ? [...products.values()].map(product => ({ ...product, quantity: 1 })) : []
  const ofAll = delivery && findTerms(rules, { items: allProducts, goods, to: { pincode }, now })
  const loads = await readLoads(db, rules, [delivery, pickup])
  const toReply = (terms: DeliveryTerms | undefined): DeliveryOffer | null =>
    terms ? toOffer(terms, rules, loads, items === undefined) : null
  return {
    pincode,
    isKnown: place.isKnown,
    states: [...place.states],
    district: place.district,
    areas: [...place.areas],
    delivery: toReply(delivery),
    stateProblem: mayDeliver ? '' : stateText,
    notes: [
      now !== question.now && reopeningText(rules.closed),
      delivery && stateText,
      ofAll && ofAll.problems.length > 0 && texts.notAllProducts
    ].flatMap(note => note || []),
    minimumOrder: shop.orders.minimumOrder,
    pickup: toReply(pickup),
    pickupText: rules.delivery.pickupText
  }
}

function parseItems(
  text: string,
  products: ReadonlyMap<string, OfferedProduct>
): (OfferedProduct & { quantity: number })[] {
  return text.split(',').flatMap(line => {
    const [id = '', quantity] = line.split(':')
    const product = products.get(id)
    return product ? [{ ...product, quantity: Number(quantity) }] : []
  })
}

async function readLoads(
  db: Db,
  { calendar: { ordersPerDay, unitsPerDay } }: DeliveryRules,
  offers: readonly (DeliveryTerms | undefined)[]
): Promise<ReadonlyMap<string, DayLoad>> {
  if (ordersPerDay + unitsPerDay === 0) return new Map()
  const sorted = offers
    .flatMap(terms => terms?.days.map(({ kitchenDay }) => kitchenDay) ?? [])
    .toSorted()
  const [first, last] = [sorted.at(0), sorted.at(-1)]
  return first === undefined || last === undefined ? new Map() : readDayLoads(db, first, last)
}

function toOffer(
  terms: DeliveryTerms,
  { calendar }: DeliveryRules,
  loads: ReadonlyMap<string, DayLoad>,
  isExample: boolean
): DeliveryOffer {
  const { method, zone, fee, usualFee, freeAbove, problems, warnings, kitchenUnits } = terms
  // Without items, the reply is about one pack.
  const units = isExample ? 1 : kitchenUnits
  const days = terms.days.map(day => ({
    date: day.date,
    state: toDayState(day, loads.get(day.kitchenDay) ?? NO_LOAD, calendar, units)
  }))
  return {
    ...{ method, zone, problems, warnings, days },
    fee: toRupees(fee),
    usualFee: toRupees(usualFee),
    freeAbove: freeAbove === null ? null : toRupees(freeAbove),
    firstDay: days.find(({ state }) => state === 'open' || state === 'few')?.date ?? null
  }
}

/** Per network: many shoppers of a mobile carrier have the same IPv4 address. */
const MAX_QUESTIONS_PER_MINUTE = 1200

export const deliveryRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/delivery',
    {
      preHandler: limitRequests({
        action: 'pincodes',
        max: MAX_QUESTIONS_PER_MINUTE,
        window: MINUTE
      }),
      ...route('Get delivery method, fee and days for a pincode', DeliveryReply, {
        querystring: DeliveryQuery
      })
    },
    async (request, reply) => {
      const data = await app.publicReplies.get()
      const { pincode, items } = request.query
      const rules = await data.deliveryRules()
      const products = await data.offeredProducts()
      // Checking hundreds of days would take longer than the rest of the request.
      void reply.type('application/json; charset=utf-8').serializer(value => JSON.stringify(value))
      const shop = await data.shop()
      return findOffers(app.database.kysely, {
        pincode,
        items,
        rules,
        shop,
        products,
        now: app.clock()
      })
    }
  )
}
