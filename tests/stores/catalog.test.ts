import { describe, expect, test } from 'vitest'
import { configureApi } from '#lib/api.ts'
import { ERRORS } from '#lib/errors.ts'
import { $catalog, loadCatalog } from '#lib/stores/catalog.ts'
import { openShop, visit } from '../support/shop.ts'

function answers(reply: () => Response | Promise<Response>): void {
  configureApi({ send: async () => reply() })
}

describe('the catalogue', () => {
  test('is the shop’s products as cards, with stock in a word', async () => {
    visit(await openShop('sqlite', { products: { pak: { price: 180, stock: 0 }, laddu: { stock: 20 } } }))
    await loadCatalog()
    const catalog = $catalog.get()
    expect(catalog.state).toBe('ready')
    const products = catalog.state === 'ready' ? catalog.products : []
    expect(products.find(({ id }) => id === 'pak')).toMatchObject({
      price: 180,
      stock: 'out',
      picture: { width: 1600 }
    })
    expect(products.find(({ id }) => id === 'laddu')).toMatchObject({ stock: 'in' })
    expect(products[0]).not.toHaveProperty('ingredients')
  })

  test('of an empty shop is empty', async () => {
    visit(await openShop('sqlite'))
    await loadCatalog()
    expect($catalog.get()).toEqual({ state: 'ready', products: [] })
  })
})

describe('a catalogue that cannot be read', () => {
  test.for([
    ['no array', () => Response.json({ products: [] }), 'Invalid data format received from server'],
    ['no JSON', () => new Response('<html>Wi-Fi login</html>'), 'Invalid data format received from server'],
    ['an array of something else', () => Response.json([{ hello: 'portal' }]), 'Invalid data format'],
    ['an array of nothing', () => Response.json([null]), 'Invalid data format'],
    ['a failure', () => Response.json({ code: 'INTERNAL' }, { status: 500 }), ERRORS.INTERNAL.message],
    ['no network', () => Promise.reject(new TypeError('fetch failed')), ERRORS.OFFLINE.message]
  ] as const)('because it is %s says so', async ([, reply, reason]) => {
    answers(reply)
    await loadCatalog()
    expect($catalog.get()).toEqual({ state: 'failed', reason })
  })

  test('is read again when asked to', async () => {
    answers(() => new Response('', { status: 503 }))
    await loadCatalog()
    visit(await openShop('sqlite', { products: { pak: {} } }))
    const again = loadCatalog()
    expect($catalog.get()).toEqual({ state: 'waiting' })
    await again
    expect($catalog.get().state).toBe('ready')
  })
})
