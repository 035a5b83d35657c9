import { describe, expect, test } from 'vitest'
import { openShop } from '../support/shop.ts'

const KILOBYTE = 1024
const NAMES = [
  'manapparai-murukku',
  'tirunelveli-halwa',
  'kadalai-mittai',
  'mango-thokku',
  'sambar-podi'
]

function createFiftyProducts(): Record<string, { price: number; stock: number }> {
  const ids = Array.from({ length: 50 }, (_, index) => `${NAMES[index % NAMES.length]}-${index}`)
  return Object.fromEntries(
    ids.map((id, index) => [id, { price: 90 + 7 * index, stock: [20, 4, 0][index % 3] ?? 0 }])
  )
}

describe('GET /catalog/live', () => {
  test.for(['/catalog/live', `/catalog/live?ids=${Object.keys(createFiftyProducts()).join()}`])(
    'returns less than 1.1 kB (Brotli) for fifty products: %s',
    async path => {
      const shop = await openShop('sqlite', { products: createFiftyProducts() })
      const { raw, headers } = await shop.get(path, { 'accept-encoding': 'br' })
      expect(headers['content-encoding']).toBe('br')
      expect(raw.length).toBeLessThan(1.1 * KILOBYTE)
    }
  )

  test.for(['/catalog/live', '/catalog/live?ids=mango-thokku-3,sambar-podi-4'])(
    'allows caching for 30 s, and returns 304 for a known ETag if nothing has changed: %s',
    async path => {
      const shop = await openShop('sqlite', { products: createFiftyProducts() })
      const { headers } = await shop.get(path)
      expect(headers['cache-control']).toBe('public, max-age=30')
      const known = { 'if-none-match': String(headers['etag']) }
      expect((await shop.get(path, known)).status).toBe(304)
      await shop.addToCatalog({ deals: { today: { product: 'mango-thokku-3' } } })
      expect((await shop.get(path, known)).status).toBe(200)
    }
  )
})
