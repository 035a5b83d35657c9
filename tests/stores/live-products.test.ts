import { describe, expect, test } from 'vitest'
import { configureApi } from '#lib/api.ts'
import {
  $goneProducts,
  $liveProducts,
  updateLiveProducts,
  loadLiveProducts
} from '#lib/stores/catalog.ts'
import { openShop, connectBrowser } from '../support/shop.ts'

describe('Live prices and stock', () => {
  test('contain the running deal of a product', async () => {
    connectBrowser(
      await openShop('sqlite', {
        products: { pak: { price: 180, stock: 3 } },
        deals: { d: { product: 'pak' } }
      })
    )
    await loadLiveProducts()
    expect($liveProducts.get().get('pak')).toMatchObject({
      price: 180,
      stock: 'low',
      left: 3,
      deal: { percent: 20 }
    })
  })

  test('are kept when other products are loaded', async () => {
    connectBrowser(await openShop('sqlite', { products: { pak: {}, laddu: {} } }))
    await loadLiveProducts(['pak'])
    await loadLiveProducts(['laddu'])
    expect([...$liveProducts.get().keys()]).toEqual(expect.arrayContaining(['pak', 'laddu']))
  })

  test('can be updated for a single product', async () => {
    connectBrowser(await openShop('sqlite', { products: { pak: {} } }))
    await loadLiveProducts(['pak'])
    updateLiveProducts({ id: 'murukku', price: 90, stock: 'in', left: 12 })
    expect($liveProducts.get().get('murukku')).toMatchObject({ price: 90, left: 12 })
    expect($liveProducts.get().has('pak')).toBe(true)
  })

  test('list the requested products that are no longer sold', async () => {
    connectBrowser(await openShop('sqlite', { products: { pak: {} } }))
    await loadLiveProducts(['pak', 'old-halwa'])
    expect([...$goneProducts.get()]).toEqual(['old-halwa'])
  })

  test.for([
    ['no network', () => Promise.reject(new TypeError('fetch failed'))],
    ['a captive portal', async () => new Response('<html>Please log in</html>')],
    ['an API error', async () => new Response('{}', { status: 500 })]
  ] as const)('do not change if loading fails: %s', async ([, send]) => {
    connectBrowser(await openShop('sqlite', { products: { pak: { price: 175 } } }))
    await loadLiveProducts(['pak'])
    configureApi({ send })
    await loadLiveProducts(['pak'])
    expect($liveProducts.get().get('pak')?.price).toBe(175)
    expect([...$goneProducts.get()]).toEqual([])
  })
})
