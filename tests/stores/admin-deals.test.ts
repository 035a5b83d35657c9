import { describe, expect, onTestFinished, test } from 'vitest'
import { configureApi } from '#lib/api.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { changeDeal, deleteDeal, loadAllDeals, readDeal, $deals } from '#lib/stores/admin/deals.ts'
import { dropOffer, takeBack, $undo } from '#lib/stores/admin/undo.ts'
import { shopNow, trustOwnClock } from '#lib/stores/shop-clock.ts'
import { administrator } from '../support/accounts.ts'
import { openShop, OPENING, visit } from '../support/shop.ts'

/** The owner's browser, with the list of deals open. */
async function openList() {
  const shop = await openShop('sqlite', { products: { laddu: {} }, deals: { big: { product: 'laddu' } } })
  const { token } = await administrator(shop)
  visit(shop)
  configureApi({ token: () => token })
  dropOffer()
  onTestFinished(trustOwnClock)
  await loadAllDeals()
  const listed = (): AdminDeal | undefined => {
    const deals = $deals.get()
    return deals.state === 'ready' ? deals.deals[0] : undefined
  }
  const deal = listed()
  if (!deal) throw new Error('The deal is not in the list')
  const { discountPercentage, startTime, endTime, version } = deal
  return { shop, deal, listed, terms: { discountPercentage, startTime, endTime, version } }
}

describe('the owner’s deals', () => {
  test('are seen at the shop’s time', async () => {
    await openList()
    expect(Math.abs(shopNow() - Date.parse(OPENING))).toBeLessThan(10_000)
  })

  test('are changed, and the change can be taken back', async () => {
    const { deal, listed, terms } = await openList()
    await changeDeal(deal, { ...terms, discountPercentage: 33 })
    expect([listed()?.discountPercentage, $undo.get()?.text]).toEqual([33, 'laddu: the deal has its new terms'])
    await takeBack()
    expect(listed()).toMatchObject({ discountPercentage: deal.discountPercentage, version: 3 })
  })

  test('are not deleted unseen: what somebody else has changed is shown first', async () => {
    const { deal, listed, terms } = await openList()
    await changeDeal(deal, { ...terms, discountPercentage: 33 })
    await expect(deleteDeal(deal)).rejects.toMatchObject({ code: 'CHANGED_MEANWHILE' })
    const now = listed()
    expect(now?.discountPercentage).toBe(33)
    if (now) await deleteDeal(now)
    expect(listed()).toBeUndefined()
    await deleteDeal(deal)
    await expect(readDeal(deal.id)).rejects.toThrow('This deal is no longer there.')
  })

  test('are not what visitors read, should the session have ended', async () => {
    await openList()
    configureApi({ token: () => undefined })
    await loadAllDeals()
    expect($deals.get()).toMatchObject({ state: 'failed' })
  })
})
