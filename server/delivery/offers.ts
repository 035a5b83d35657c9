import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reopeningText, toOrderTime } from '#lib/delivery/calendar.ts'
import { type CardProduct, toCardProducts } from '#lib/catalog/cards.ts'
import type { Product } from '#lib/contract/catalog.ts'
import { type DeliveryOffer, DeliveryQuery, DeliveryReply } from '#lib/contract/delivery.ts'
import {
  type DayLoad,
  type DeliveryOrder,
  type DeliveryRules,
  type DeliveryTerms,
  findTerms,
  type ProductFacts,
  toDayState
} from '#lib/delivery/terms.ts'
import { ARMY_PINCODE } from '#lib/constants.ts'
import { STATES } from '#lib/contract/states.ts'
import { language, t } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import { groupBy } from '#lib/group-by.ts'
import { localize } from '#lib/localize.ts'
import { fromRupees, multiply, sumPaise, toRupees } from '#lib/money.ts'
import { MINUTE } from '#lib/time.ts'
import type { Db } from '../platform/db/tables.ts'
import { limitRequests } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { findPincode, notDeliveredText } from '../platform/pincodes/pincodes.ts'
import { findStateProblem } from '../settings/tax.ts'
import { readDayLoads } from './places.ts'

export type OfferedProduct = ProductFacts & { product: Product }

/** Fees are before drawn discounts and coupon, which only the quote knows. */
async function findOffers(
  app: FastifyInstance,
  { pincode, items, goods: quoted }: DeliveryQuery
): Promise<DeliveryReply> {
  const data = await app.publicReplies.get()
  const rules = localize(await data.deliveryRules(), language())
  const products = await data.offeredProducts()
  const { tax, orders } = await data.shop()
  const place = findPincode(pincode)
  if (!place) throw new ShopError('PINCODE_UNKNOWN')
  const askedAt = app.clock()
  const now = toOrderTime(rules.closed, askedAt)
  // Cart lines such as 'mysore-pak:2,murukku:1'. Products may have been deleted.
  const lines = (items ?? '').split(',').flatMap(line => {
    const [id = '', quantity] = line.split(':')
    const product = products.get(id)
    return product ? [{ ...product, quantity: Number(quantity) }] : []
  })
  const goods = sumPaise(
    lines.map(({ product, quantity }) => multiply(fromRupees(product.price), quantity))
  )
  const states = { servedState: tax.servedState, needsKnownState: false }
  const possibleStates = place.states.length === 0 ? STATES : place.states
  const stateProblems = possibleStates.map(state => findStateProblem(states, state))
  const stateText = stateProblems.find(Boolean) ?? ''
  const mayDeliver = stateProblems.includes(undefined)
  const toTerms = (to: DeliveryOrder['to'], ordered: DeliveryOrder['items'] = lines) =>
    findTerms(rules, { items: ordered, goods, to, now })
  const delivery = mayDeliver ? toTerms({ pincode }) : undefined
  const armyText = !delivery && ARMY_PINCODE.test(pincode) ? notDeliveredText(pincode) : ''
  const pickup = toTerms('pickup')
  const isExample = items === undefined
  const { freeAbove = null } = delivery ?? {}
  const missing =
    freeAbove === null || quoted === undefined ? 0 : freeAbove - fromRupees(Number(quoted))
  const needsAll = isExample || missing > 0
  const all = needsAll ? [...products.values()].map(each => ({ ...each, quantity: 1 })) : []
  const { problems = [], warnings = [] } = (delivery && toTerms({ pincode }, all)) ?? {}
  const loads = await readLoads(app.database.kysely, rules, [delivery, pickup])
  const toReply = (terms: DeliveryTerms | undefined): DeliveryOffer | null =>
    terms ? toOffer(terms, rules, loads, isExample) : null
  return {
    pincode,
    isKnown: place.isKnown,
    states: [...place.states],
    district: place.district,
    town: place.town,
    areas: [...place.areas],
    delivery: toReply(delivery),
    stateProblem: mayDeliver ? armyText : stateText,
    notes: [
      now !== askedAt && reopeningText(rules.closed),
      delivery && stateText,
      isExample && problems.length > 0 && t('Some of our products don’t travel that far.')
    ].flatMap(note => note || []),
    minimumOrder: orders.minimumOrder,
    pickup: toReply(pickup),
    pickupText: rules.delivery.pickupText,
    ...(missing > 0 && { suggestions: listSuggestions() })
  }

  function listSuggestions(): CardProduct[] {
    const unfit = [...problems, ...warnings].map(({ product }) => product)
    const inCart = lines.map(({ product }) => familyOf(product))
    const lead = Math.max(0, ...lines.map(({ extraLeadDays }) => extraLeadDays))
    const fitting = all.flatMap(({ product, extraLeadDays }) => {
      const isFit = product.stock > 0 && extraLeadDays <= lead && !unfit.includes(product.id)
      return isFit && !inCart.includes(familyOf(product)) ? product : []
    })
    return toCardProducts(localize(chooseSuggestions(fitting, missing), language()))
  }
}

const MAX_SUGGESTIONS = 3

/** `missing` is in paise. What reaches it comes first, one of each family. */
export function chooseSuggestions(products: readonly Product[], missing: number): Product[] {
  const gapOf = ({ price }: Product) => fromRupees(price) - missing
  const ranked = products.toSorted((a, b) => {
    const [gap, other] = [gapOf(a), gapOf(b)]
    return Number(other >= 0) - Number(gap >= 0) || Math.abs(gap) - Math.abs(other)
  })
  const families = [...groupBy(ranked, familyOf).values()]
  return families.flatMap(sizes => sizes.slice(0, 1)).slice(0, MAX_SUGGESTIONS)
}

function familyOf({ id, family }: Product) {
  return family ? `family ${family.id}` : id
}

async function readLoads(
  db: Db,
  { calendar: { ordersPerDay, unitsPerDay } }: DeliveryRules,
  offers: readonly (DeliveryTerms | undefined)[]
): Promise<ReadonlyMap<string, DayLoad>> {
  if (ordersPerDay + unitsPerDay === 0) return new Map()
  const days = offers.flatMap(terms => terms?.days.map(({ kitchenDay }) => kitchenDay) ?? [])
  const [first, last] = [days.toSorted().at(0), days.toSorted().at(-1)]
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
    state: toDayState(day, loads.get(day.kitchenDay) ?? { orders: 0, units: 0 }, calendar, units)
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
      // Checking hundreds of days would take longer than the rest of the request.
      void reply.type('application/json; charset=utf-8').serializer(value => JSON.stringify(value))
      return findOffers(app, request.query)
    }
  )
}
