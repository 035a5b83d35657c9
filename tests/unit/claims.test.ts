import { expect, test } from 'vitest'
import { describeArea, listProductFacts, listShopFacts, madeWith } from '#lib/claims.ts'
import type { Zone } from '#lib/delivery/terms.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'

const MURUKKU = { dietary: 'vegan', cookedToOrder: true } as const
const LADDU = { dietary: 'vegetarian' } as const
const ZONE: Zone = {
  ...{ name: '', pincodes: '620', method: 'own', fee: 0, freeAbove: 0 },
  ...{ transitMin: 0, transitMax: 0, active: true }
}
const NO_FACTS = { daysToDelivery: 2, area: '', fssai: '' }

test.for([
  ['the shop’s own', [MURUKKU, MURUKKU], ['Cooked to order', 'All vegan']],
  ['only what holds for all products', [MURUKKU, LADDU], ['All vegetarian']],
  ['those of one product', [MURUKKU], ['Cooked to order', 'Vegan']]
] as const)('facts are %s', ([, products, facts]) => {
  expect(listProductFacts(products)).toEqual(facts)
})

test.for([
  [['Gram flour', 'Ghee (milk)', 'Coconut oil'], 'Made with ghee'],
  [['Rice flour', 'Cold-pressed Groundnut oil'], 'Made with cold-pressed groundnut oil'],
  [['Peanuts', 'Jaggery'], '']
] as const)('the fat among %j is told as “%s”', ([ingredients, text]) => {
  expect(madeWith(ingredients)).toBe(text)
})

test('a shop without typed claims states its settings, and none before it has products', () => {
  const told = { daysToDelivery: 0, area: 'across India', fssai: '12345678901234' }
  expect(listShopFacts([], told)).toEqual([])
  expect(listShopFacts([LADDU], NO_FACTS)).toEqual([
    'Vegetarian',
    'Delivery from 2 days after you order'
  ])
  expect(listShopFacts([LADDU, MURUKKU], told)).toEqual([
    'All vegetarian',
    'Delivery from the day you order',
    'Delivered across India',
    'FSSAI Lic. No. 12345678901234'
  ])
})

test.for([
  ['', '', [], ''],
  ['', 'courier', [], 'across India'],
  ['Kerala', 'courier', ['Kochi'], 'across Kerala'],
  [null, 'courier', [], ''],
  ['', 'none', ['Trichy', 'Karur'], 'in Trichy and Karur'],
  ['', 'none', ['Trichy', 'Karur', 'Salem', 'Erode'], '']
] as const)('served states %j, elsewhere %j and zones %j are “%s”', ([state, ...rules]) => {
  const [elsewhere, names, area] = rules
  const zones = names.map(name => ({ ...ZONE, name }))
  expect(describeArea({ ...EMPTY_SETTINGS.delivery, elsewhere, zones }, state)).toBe(area)
})
