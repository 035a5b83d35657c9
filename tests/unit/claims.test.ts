import { expect, test } from 'vitest'
import { listShopFacts, madeWith } from '#content/claims.ts'
import { findArea, type Zone } from '#lib/delivery/terms.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'

const MURUKKU = { dietary: 'vegan', cookedToOrder: true } as const
const LADDU = { dietary: 'vegetarian' } as const
const ZONE: Zone = {
  ...{ name: '', pincodes: '620', method: 'own', fee: 0, freeAbove: 0 },
  ...{ transitMin: 0, transitMax: 0, active: true }
}
const INDIA = { across: 'India', places: [] }
const DETAILS = { area: INDIA, fssai: '12345678901234' }
const DETAIL_FACTS = ['Delivered across India', 'FSSAI Lic. No. 12345678901234']
const FROM = 'Delivery from'

test.for([
  [[], 2, DETAILS, []],
  [[MURUKKU], 0, {}, ['Cooked to order', 'All vegan', `${FROM} the day you order`]],
  [[MURUKKU, LADDU], 2, {}, ['All vegetarian', `${FROM} 2 days after you order`]],
  [[LADDU], 1, DETAILS, ['All vegetarian', `${FROM} 1 day after you order`, ...DETAIL_FACTS]]
] as const)('a shop with %j, %i days to delivery and %j states %j', ([products, days, ...rest]) => {
  const [details, facts] = rest
  const shop = {
    products,
    daysToDelivery: days,
    area: { across: '', places: [] },
    fssai: '',
    ...details
  }
  expect(listShopFacts(shop)).toEqual(facts)
})

test.for([
  [['Gram flour', 'Ghee (milk)', 'Coconut oil'], 'Made with ghee'],
  [['Rice flour', 'Cold-pressed Groundnut oil'], 'Made with cold-pressed groundnut oil'],
  [['Peanuts', 'Jaggery'], '']
] as const)('the fat among %j is told as “%s”', ([ingredients, text]) => {
  expect(madeWith(ingredients)).toBe(text)
})

test.for([
  ['', '', [], '', []],
  ['', 'courier', [], 'India', []],
  ['Kerala', 'courier', ['Kochi'], 'Kerala', []],
  [null, 'courier', [], '', []],
  ['', 'none', ['Trichy', 'Karur'], '', ['Trichy', 'Karur']],
  ['', 'none', ['Trichy', 'Karur', 'Salem', 'Erode'], '', []]
] as const)('served states %j, elsewhere %j and zones %j are “%s” or %j', ([state, ...rules]) => {
  const [elsewhere, names, across, places] = rules
  const zones = names.map(name => ({ ...ZONE, name }))
  const delivery = { ...EMPTY_SETTINGS.delivery, elsewhere, zones }
  expect(findArea(delivery, state)).toEqual({ across, places })
})
