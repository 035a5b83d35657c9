import { atom, readonlyType } from 'nanostores'
import { toDealFields } from '../../admin/deal-form.ts'
import { api } from '../../api.ts'
import type { AdminDeal, DealChange, DealDraft, DiscountedProduct } from '../../contract/deals.ts'
import { ShopError } from '../../errors.ts'
import { MESSAGES } from '../../messages.ts'
import { fallBackToBrowserClock, setShopTime } from '../shop-clock.ts'
import { loadInto, type LoadState } from '../load-state.ts'
import { deleteOnce, offerUndo, orReload } from './notices.ts'

const $state = atom<LoadState<readonly AdminDeal[]>>({ state: 'loading' })

export const $deals = readonlyType($state)

/** Also sets the clock to the server's time. The previous list stays visible while loading. */
export async function loadAllDeals(): Promise<void> {
  await loadInto($state, fetchAllDeals)
  if ($state.get().state === 'failed') fallBackToBrowserClock()
}

export async function readDeal(id: string): Promise<AdminDeal> {
  const value = await fetchAllDeals()
  $state.set({ state: 'ready', value })
  const deal = value.find(each => each.id === id)
  if (!deal) throw new ShopError('DEAL_NOT_FOUND', { message: 'This flash deal no longer exists.' })
  return deal
}

export async function createDeal(draft: DealDraft): Promise<void> {
  await api('POST /discounted-products', { body: draft })
  await loadAllDeals()
}

export async function changeDeal(deal: AdminDeal, change: DealChange): Promise<void> {
  const saved = await sendChange(deal.id, change)
  offerUndo({
    text: `Flash deal for ${deal.name} saved`,
    undo: () => sendChange(deal.id, { ...toDealFields(deal), version: saved.version })
  })
}

export async function deleteDeal({ id, version }: AdminDeal): Promise<void> {
  const query = { version: String(version) }
  const call = api('DELETE /discounted-products/{id}', { params: { id }, query })
  await orReload(deleteOnce(call, 'DEAL_NOT_FOUND'), loadAllDeals)
  await loadAllDeals()
}

async function sendChange(id: string, change: DealChange): Promise<AdminDeal> {
  const saved = await api('PATCH /discounted-products/{id}', { params: { id }, body: change })
  await loadAllDeals()
  return saved
}

async function fetchAllDeals(): Promise<readonly AdminDeal[]> {
  const sentAt = Date.now()
  const reply: readonly (DiscountedProduct | AdminDeal)[] = await api('GET /discounted-products')
  // If the user is no longer an administrator, the server replies with the public list.
  const deals = reply.filter(isAdminDeal)
  if (deals.length < reply.length) throw new ShopError('FORBIDDEN', { message: MESSAGES.forbidden })
  const [first] = deals
  if (first) setShopTime(first.serverTime, sentAt, Date.now())
  else fallBackToBrowserClock()
  return deals
}

function isAdminDeal(deal: DiscountedProduct | AdminDeal): deal is AdminDeal {
  return 'version' in deal
}
