import { atom } from 'nanostores'
import { describe, expect, test, vi } from 'vitest'
import { configureApi } from '#lib/api.ts'
import {
  loadProducts,
  setHidden,
  setPrice,
  setStock,
  $products
} from '#lib/stores/admin/products.ts'
import { dismissUndo, undoLast, $undo } from '#lib/stores/admin/notices.ts'
import { loadInto, updateLoaded, type LoadState } from '#lib/stores/load-state.ts'
import { UNDO_WINDOW } from '#lib/time.ts'
import { logInAsAdmin } from '../support/accounts.ts'
import { openAdminShop } from '../support/admin-products.ts'
import { connectBrowser } from '../support/shop.ts'

/** Opens an admin's browser and loads the list of products. */
async function openList() {
  const shop = await openAdminShop('sqlite')
  const { token } = await logInAsAdmin(shop)
  connectBrowser(shop)
  configureApi({ token: () => token })
  dismissUndo()
  await loadProducts()
  const listedProduct = (id: string) => {
    const products = $products.get()
    const listed =
      products.state === 'ready' ? products.value.find(product => product.id === id) : undefined
    if (!listed) throw new Error(`${id} is not in the list`)
    return listed
  }
  return { shop, listedProduct }
}

describe('Changing a price in the product list', () => {
  test('shows the new price and can be undone', async () => {
    const { shop, listedProduct } = await openList()
    await setPrice(listedProduct('laddu'), 120)
    expect([listedProduct('laddu').price, $undo.get()?.text]).toEqual([120, 'laddu: ₹120.00'])
    await undoLast()
    expect([listedProduct('laddu').price, $undo.get()]).toEqual([100, undefined])
    expect(await shop.fetchProduct('laddu')).toMatchObject({ price: 100, version: 3 })
  })

  test('succeeds if someone else changed another field', async () => {
    const { shop, listedProduct } = await openList()
    await shop.changeProduct('laddu', { version: 1, shelfLife: '3 days' })
    await setPrice(listedProduct('laddu'), 120)
    expect(await shop.fetchProduct('laddu')).toMatchObject({ price: 120, shelfLife: '3 days' })
  })

  test('fails if someone else changed the price, and shows that person’s price', async () => {
    const { shop, listedProduct } = await openList()
    await shop.changeProduct('laddu', { version: 1, price: 110 })
    await expect(setPrice(listedProduct('laddu'), 120)).rejects.toThrow('changed to ₹110.00')
    expect(listedProduct('laddu').price).toBe(110)
    await setPrice(listedProduct('laddu'), 120)
    expect((await shop.fetchProduct('laddu')).price).toBe(120)
  })
})

test('A list is loaded again if something in it was changed during the request', async () => {
  const $list = atom<LoadState<string>>({ state: 'ready', value: 'Laddu, ₹100' })
  const replies = ['Laddu, ₹100', 'Laddu, ₹120']
  const loading = loadInto($list, async () => replies.shift() ?? '')
  updateLoaded($list, () => 'Laddu, ₹120')
  await loading
  expect($list.get()).toEqual({ state: 'ready', value: 'Laddu, ₹120' })
})

test('A product is hidden although somebody else has changed another field', async () => {
  const { shop, listedProduct } = await openList()
  await shop.changeProduct('laddu', { version: 1, shelfLife: '3 days' })
  await setHidden(listedProduct('laddu'), true)
  expect(listedProduct('laddu')).toMatchObject({
    hiddenAt: expect.any(String),
    shelfLife: '3 days'
  })
})

describe('Changing the stock in the product list', () => {
  test('fails if packs were sold in the meantime, and shows the current stock', async () => {
    const { shop, listedProduct } = await openList()
    await shop.changeProduct('murukku', { version: 1, stock: { from: 30, to: 29 } })
    await expect(setStock(listedProduct('murukku'), 40)).rejects.toThrow('changed to 29')
    expect(listedProduct('murukku').stock).toBe(29)
  })

  test('can be undone for ten seconds', async () => {
    const { listedProduct } = await openList()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await setStock(listedProduct('murukku'), 40)
    vi.advanceTimersByTime(UNDO_WINDOW - 1)
    expect($undo.get()).toBeDefined()
    vi.advanceTimersByTime(1)
    expect($undo.get()).toBeUndefined()
    vi.useRealTimers()
  })
})
