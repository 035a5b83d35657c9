import { atom } from 'nanostores'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { configureApi } from '#lib/api.ts'
import {
  loadProducts,
  setHidden,
  setPrice,
  setStock,
  $products
} from '#lib/stores/admin/products.ts'
import {
  $deals,
  changeDeal,
  deleteDeal,
  loadAllDeals,
  readDeal
} from '#lib/stores/admin/records.ts'
import { dismissUndo, $undo } from '#lib/stores/admin/notices.ts'
import { loadInto, updateLoaded, type LoadState } from '#lib/stores/load-state.ts'
import { fallBackToBrowserClock } from '#lib/stores/shop-clock.ts'
import { UNDO_WINDOW } from '#lib/time.ts'
import { logInAsAdmin } from '../support/accounts.ts'
import { openAdminShop } from '../support/admin-products.ts'
import { connectBrowser, openShop, type Shop } from '../support/shop.ts'

async function openBrowser(shop: Shop) {
  const { token } = await logInAsAdmin(shop)
  connectBrowser(shop)
  configureApi({ token: () => token })
  dismissUndo()
}

/** Opens an admin's browser and loads the list of products. */
async function openList() {
  const shop = await openAdminShop('sqlite')
  await openBrowser(shop)
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

describe('Product list', () => {
  test('changes a price and hides a product although somebody else has changed another field', async () => {
    const { shop, listedProduct } = await openList()
    await shop.changeProduct('laddu', { version: 1, shelfLife: '3 days' })
    await setPrice(listedProduct('laddu'), 120)
    await shop.changeProduct('laddu', { version: 3, shelfLife: '4 days' })
    await setHidden(listedProduct('laddu'), true)
    const hidden = { price: 120, hiddenAt: expect.any(String), shelfLife: '4 days' }
    expect(listedProduct('laddu')).toMatchObject(hidden)
  })

  test('shows the price and stock that somebody else has changed instead of overwriting them', async () => {
    const { shop, listedProduct } = await openList()
    await shop.changeProduct('laddu', { version: 1, price: 110 })
    await expect(setPrice(listedProduct('laddu'), 120)).rejects.toThrow('changed to ₹110.00')
    expect(listedProduct('laddu').price).toBe(110)
    await shop.changeProduct('murukku', { version: 1, stock: { from: 30, to: 29 } })
    await expect(setStock(listedProduct('murukku'), 40)).rejects.toThrow('changed to 29')
    expect(listedProduct('murukku').stock).toBe(29)
  })

  test('offers to undo for ten seconds', async () => {
    const { listedProduct } = await openList()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await setStock(listedProduct('murukku'), 40)
    vi.advanceTimersByTime(UNDO_WINDOW - 1)
    expect($undo.get()).toBeDefined()
    vi.advanceTimersByTime(1)
    expect($undo.get()).toBeUndefined()
    vi.useRealTimers()
  })

  test('is loaded again if something in it was changed during the request', async () => {
    const $list = atom<LoadState<string>>({ state: 'ready', value: 'Laddu, ₹100' })
    const replies = ['Laddu, ₹100', 'Laddu, ₹120']
    const loading = loadInto($list, async () => replies.shift() ?? '')
    updateLoaded($list, () => 'Laddu, ₹120')
    await loading
    expect($list.get()).toEqual({ state: 'ready', value: 'Laddu, ₹120' })
  })
})

describe('Deal list', () => {
  const listedDeal = () => {
    const deals = $deals.get()
    return deals.state === 'ready' ? deals.value[0] : undefined
  }

  async function openDeal() {
    const deals = { big: { product: 'laddu' } }
    await openBrowser(await openShop('sqlite', { products: { laddu: {} }, deals }))
    onTestFinished(fallBackToBrowserClock)
    await loadAllDeals()
    const deal = listedDeal()
    if (!deal) throw new Error('The deal is not in the list')
    const { startTime, endTime, version } = deal
    return { deal, terms: { discountPercentage: 33, startTime, endTime, version } }
  }

  test('refuses to delete a deal that someone else has changed', async () => {
    const { deal, terms } = await openDeal()
    await changeDeal(deal, terms)
    await expect(deleteDeal(deal)).rejects.toMatchObject({ code: 'EDIT_CONFLICT' })
    const changedDeal = listedDeal()
    expect(changedDeal?.discountPercentage).toBe(33)
    if (changedDeal) await deleteDeal(changedDeal)
    expect(listedDeal()).toBeUndefined()
    await deleteDeal(deal)
    await expect(readDeal(deal.id)).rejects.toThrow('This flash deal no longer exists.')
  })
})
