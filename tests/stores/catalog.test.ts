import { describe, expect, test } from 'vitest'
import { configureApi } from '#lib/api.ts'
import {
  $catalog,
  $goneProducts,
  $liveProducts,
  loadCatalog,
  loadLiveProducts
} from '#lib/stores/catalog.ts'
import { openShop, connectBrowser } from '../support/shop.ts'

describe('Catalogue that failed to load', () => {
  test.for([
    [{ products: [] }, 'Invalid data format received from server'],
    [[null], 'Invalid data format']
  ] as const)('shows the reason: %o', async ([reply, reason]) => {
    configureApi({ send: async () => Response.json(reply) })
    await loadCatalog()
    expect($catalog.get()).toMatchObject({ state: 'failed', error: { message: reason } })
  })
})

describe('Live prices and stock', () => {
  test('list the requested products that are no longer sold, and keep those of others', async () => {
    connectBrowser(await openShop('sqlite', { products: { pak: {}, laddu: {} } }))
    await loadLiveProducts(['laddu'])
    await loadLiveProducts(['pak', 'old-halwa'])
    expect([...$goneProducts.get()]).toEqual(['old-halwa'])
    expect([...$liveProducts.get().keys()]).toEqual(expect.arrayContaining(['pak', 'laddu']))
  })

  test('do not change if loading fails', async () => {
    connectBrowser(await openShop('sqlite', { products: { pak: { price: 175 } } }))
    await loadLiveProducts(['pak'])
    configureApi({ send: async () => new Response('<html>Please log in</html>') })
    await loadLiveProducts(['pak'])
    expect($liveProducts.get().get('pak')?.price).toBe(175)
    expect([...$goneProducts.get()]).toEqual([])
  })
})
