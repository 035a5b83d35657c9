import { describe, expect, onTestFinished, test } from 'vitest'
import { configureApi } from '#lib/api.ts'
import type { AdminDeal } from '#lib/contract/promotions.ts'
import {
  $deals,
  changeDeal,
  deleteDeal,
  loadAllDeals,
  readDeal
} from '#lib/stores/admin/records.ts'
import { $undo, dismissUndo, undoLast } from '#lib/stores/admin/notices.ts'
import { fallBackToBrowserClock, getShopTime } from '#lib/stores/shop-clock.ts'
import { logInAsAdmin } from '../support/accounts.ts'
import { connectBrowser, openShop, START_TIME } from '../support/shop.ts'

/** Opens an admin's browser and loads the list of deals. */
async function openList() {
  const shop = await openShop('sqlite', {
    products: { laddu: {} },
    deals: { big: { product: 'laddu' } }
  })
  const { token } = await logInAsAdmin(shop)
  connectBrowser(shop)
  configureApi({ token: () => token })
  dismissUndo()
  onTestFinished(fallBackToBrowserClock)
  await loadAllDeals()
  const listedDeal = (): AdminDeal | undefined => {
    const deals = $deals.get()
    return deals.state === 'ready' ? deals.value[0] : undefined
  }
  const deal = listedDeal()
  if (!deal) throw new Error('The deal is not in the list')
  const { discountPercentage, startTime, endTime, version } = deal
  return { shop, deal, listedDeal, terms: { discountPercentage, startTime, endTime, version } }
}

describe('Admin deals store', () => {
  test('uses the server’s clock', async () => {
    await openList()
    expect(Math.abs(getShopTime() - Date.parse(START_TIME))).toBeLessThan(10_000)
  })

  test('changes a deal and can undo the change', async () => {
    const { deal, listedDeal, terms } = await openList()
    await changeDeal(deal, { ...terms, discountPercentage: 33 })
    expect([listedDeal()?.discountPercentage, $undo.get()?.text]).toEqual([
      33,
      'Flash deal for laddu saved'
    ])
    await undoLast()
    expect(listedDeal()).toMatchObject({ discountPercentage: deal.discountPercentage, version: 3 })
  })

  test('refuses to delete a deal that someone else has changed', async () => {
    const { deal, listedDeal, terms } = await openList()
    await changeDeal(deal, { ...terms, discountPercentage: 33 })
    await expect(deleteDeal(deal)).rejects.toMatchObject({ code: 'EDIT_CONFLICT' })
    const changedDeal = listedDeal()
    expect(changedDeal?.discountPercentage).toBe(33)
    if (changedDeal) await deleteDeal(changedDeal)
    expect(listedDeal()).toBeUndefined()
    await deleteDeal(deal)
    await expect(readDeal(deal.id)).rejects.toThrow('This flash deal no longer exists.')
  })

  test('cannot load the admin list without a session', async () => {
    await openList()
    configureApi({ token: () => undefined })
    await loadAllDeals()
    expect($deals.get()).toMatchObject({ state: 'failed' })
  })
})
