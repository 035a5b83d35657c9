import { describe, expect, test } from 'vitest'
import { configureApi } from '#lib/api.ts'
import { $gone, $live, learn, loadLive } from '#lib/stores/live.ts'
import { openShop, visit } from '../support/shop.ts'

describe('live prices and stock', () => {
  test('are the shop’s, with the running deal', async () => {
    visit(await openShop('sqlite', { products: { pak: { price: 180, stock: 3 } }, deals: { d: { product: 'pak' } } }))
    await loadLive()
    expect($live.get().get('pak')).toMatchObject({ price: 180, stock: 'low', left: 3, deal: { percent: 20 } })
  })

  test('of some products are added to those that are known', async () => {
    visit(await openShop('sqlite', { products: { pak: {}, laddu: {} } }))
    await loadLive(['pak'])
    await loadLive(['laddu'])
    expect([...$live.get().keys()]).toEqual(expect.arrayContaining(['pak', 'laddu']))
  })

  test('may be learned from a call for one product', async () => {
    visit(await openShop('sqlite', { products: { pak: {} } }))
    await loadLive(['pak'])
    learn({ id: 'murukku', price: 90, stock: 'in', left: 12 })
    expect($live.get().get('murukku')).toMatchObject({ price: 90, left: 12 })
    expect($live.get().has('pak')).toBe(true)
  })

  test('tell which of the products asked for are not sold any more', async () => {
    visit(await openShop('sqlite', { products: { pak: {} } }))
    await loadLive(['pak', 'old-halwa'])
    expect([...$gone.get()]).toEqual(['old-halwa'])
  })

  test.for([
    ['no network', () => Promise.reject(new TypeError('fetch failed'))],
    ['a captive portal', async () => new Response('<html>Please log in</html>')],
    ['a shop in trouble', async () => new Response('{}', { status: 500 })]
  ] as const)('with %s leave everything as it was', async ([, send]) => {
    visit(await openShop('sqlite', { products: { pak: { price: 175 } } }))
    await loadLive(['pak'])
    configureApi({ send })
    await loadLive(['pak'])
    expect($live.get().get('pak')?.price).toBe(175)
    expect([...$gone.get()]).toEqual([])
  })
})
