import { describe, expect, test } from 'vitest'
import { configureApi } from '#lib/api.ts'
import { $catalog, loadCatalog } from '#lib/stores/catalog.ts'
import { openShop, connectBrowser } from '../support/shop.ts'

function replyWith(reply: () => Response | Promise<Response>): void {
  configureApi({ send: async () => reply() })
}

describe('Catalogue store', () => {
  test('contains the shop’s products as cards with their stock level', async () => {
    connectBrowser(
      await openShop('sqlite', {
        products: { pak: { price: 180, stock: 0 }, laddu: { stock: 20 } }
      })
    )
    await loadCatalog()
    const catalog = $catalog.get()
    expect(catalog.state).toBe('ready')
    const products = catalog.state === 'ready' ? catalog.value : []
    expect(products.find(({ id }) => id === 'pak')).toMatchObject({
      price: 180,
      stock: 'out',
      picture: { width: 1600 }
    })
    expect(products.find(({ id }) => id === 'laddu')).toMatchObject({ stock: 'in' })
    expect(products[0]).toMatchObject({ ingredients: expect.any(Array) })
  })

  test('is empty for an empty shop', async () => {
    connectBrowser(await openShop('sqlite'))
    await loadCatalog()
    expect($catalog.get()).toEqual({ state: 'ready', value: [] })
  })
})

describe('Catalogue that failed to load', () => {
  test.for([
    [
      'an object instead of an array',
      () => Response.json({ products: [] }),
      'Invalid data format received from server'
    ],
    [
      'an HTML page',
      () => new Response('<html>Wi-Fi login</html>'),
      'Something went wrong on our side.'
    ],
    [
      'an array of other objects',
      () => Response.json([{ hello: 'portal' }]),
      'Invalid data format'
    ],
    ['an array of null', () => Response.json([null]), 'Invalid data format'],
    [
      'an API error',
      () => Response.json({ code: 'INTERNAL' }, { status: 500 }),
      'Something went wrong on our side.'
    ],
    [
      'no network',
      () => Promise.reject(new TypeError('fetch failed')),
      'We cannot reach the shop. Check your connection and try again.'
    ]
  ] as const)('shows the reason: %s', async ([, reply, reason]) => {
    replyWith(reply)
    await loadCatalog()
    expect($catalog.get()).toMatchObject({ state: 'failed', error: { message: reason } })
  })

  test('is loaded by a retry', async () => {
    replyWith(() => new Response('', { status: 503 }))
    await loadCatalog()
    connectBrowser(await openShop('sqlite', { products: { pak: {} } }))
    const reload = loadCatalog()
    expect($catalog.get()).toEqual({ state: 'loading' })
    await reload
    expect($catalog.get().state).toBe('ready')
  })
})
