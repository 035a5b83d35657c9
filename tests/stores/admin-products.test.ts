import { describe, expect, test, vi } from 'vitest'
import { configureApi } from '#lib/api.ts'
import { loadProducts, setPrice, setStock, $products } from '#lib/stores/admin/products.ts'
import { dropOffer, takeBack, $undo } from '#lib/stores/admin/undo.ts'
import { UNDO_TIME } from '#lib/time.ts'
import { administrator } from '../support/accounts.ts'
import { ownersShop } from '../support/admin-products.ts'
import { visit } from '../support/shop.ts'

/** The owner's browser, with the list of products open, and somebody else who changes the shop. */
async function openList() {
  const shop = await ownersShop('sqlite')
  const { token } = await administrator(shop)
  visit(shop)
  configureApi({ token: () => token })
  dropOffer()
  await loadProducts()
  const listed = (id: string) => {
    const products = $products.get()
    const found = products.state === 'ready' ? products.products.find(product => product.id === id) : undefined
    if (!found) throw new Error(`${id} is not in the list`)
    return found
  }
  return { shop, listed }
}

describe('changing a price in the list', () => {
  test('is shown, and offered to be taken back', async () => {
    const { shop, listed } = await openList()
    await setPrice(listed('laddu'), 120)
    expect([listed('laddu').price, $undo.get()?.text]).toEqual([120, 'laddu: ₹120.00'])
    await takeBack()
    expect([listed('laddu').price, $undo.get()]).toEqual([100, undefined])
    expect(await shop.product('laddu')).toMatchObject({ price: 100, version: 3 })
  })

  test('goes through when somebody else has changed something else', async () => {
    const { shop, listed } = await openList()
    await shop.change('laddu', { version: 1, shelfLife: '3 days' })
    await setPrice(listed('laddu'), 120)
    expect(await shop.product('laddu')).toMatchObject({ price: 120, shelfLife: '3 days' })
  })

  test('is refused when somebody else has changed the price, which is shown', async () => {
    const { shop, listed } = await openList()
    await shop.change('laddu', { version: 1, price: 110 })
    await expect(setPrice(listed('laddu'), 120)).rejects.toThrow('it is ₹110.00 now')
    expect(listed('laddu').price).toBe(110)
    await setPrice(listed('laddu'), 120)
    expect((await shop.product('laddu')).price).toBe(120)
  })
})

describe('counting the stock in the list', () => {
  test('is refused when packs were sold meanwhile, and the new number is shown', async () => {
    const { shop, listed } = await openList()
    await shop.change('murukku', { version: 1, stock: { from: 30, to: 29 } })
    await expect(setStock(listed('murukku'), 40)).rejects.toThrow('it is 29 now')
    expect(listed('murukku').stock).toBe(29)
  })

  test('can be taken back for ten seconds', async () => {
    const { listed } = await openList()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await setStock(listed('murukku'), 40)
    vi.advanceTimersByTime(UNDO_TIME - 1)
    expect($undo.get()).toBeDefined()
    vi.advanceTimersByTime(1)
    expect($undo.get()).toBeUndefined()
    vi.useRealTimers()
  })
})
