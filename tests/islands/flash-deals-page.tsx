import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { cleanStores } from 'nanostores'
import { onTestFinished, vi } from 'vitest'
import type { Discount, FlashDeal } from '#lib/contract/promotions.ts'
import type { DealView } from '#lib/deal-view.ts'
import { makeDealView, makeFlashDeal, NOW } from '../support/deals.ts'
import { LOGGED_IN, openDealsPage } from '../support/deals-page.ts'
import { respondWith } from '../support/session.ts'

interface PageOptions {
  loggedIn?: boolean
  reducedMotion?: boolean
  prebuilt?: readonly DealView[]
  /** Deals in the reply of the API. Undefined means that there is no network. */
  deals?: readonly FlashDeal[] | undefined
  discounts?: readonly Discount[]
  drawReply?: () => Response | Promise<Response>
}

export const PAK = makeDealView('pak')

export function freezeTime(): void {
  vi.useFakeTimers({ now: Date.parse(NOW) })
}

export function leavePage(): void {
  cleanup()
  document.body.innerHTML = ''
  vi.useRealTimers()
}

export async function createPage(options: PageOptions = {}) {
  const {
    loggedIn = false,
    reducedMotion = false,
    prebuilt = [PAK],
    discounts = [],
    drawReply
  } = options
  const deals = 'deals' in options ? options.deals : [makeFlashDeal('pak')]
  const page = await openDealsPage({
    send: respondWith({
      ...(deals && {
        'GET /flash-deals': () => Response.json(deals),
        'GET /flash-deals/mine': () => Response.json(discounts)
      }),
      ...(drawReply && { 'POST /flash-deals/generate/pak': drawReply })
    }),
    ...(loggedIn && { user: LOGGED_IN }),
    reducedMotion
  })
  const { FlashDeals } = await import('#islands/catalog/FlashDeals.tsx')
  onTestFinished(() => cleanStores(page.$cart, page.$shopperId, page.$now))
  return { ...page, island: <FlashDeals deals={prebuilt} /> }
}

export async function openDeals(options: PageOptions = {}) {
  const page = await createPage(options)
  render(page.island)
  await advance(0)
  return page
}

export function advance(ms: number): Promise<void> {
  return act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
}

export async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await advance(0)
}

export const card = () => screen.getByRole('article')
export const button = () => within(card()).getByRole<HTMLButtonElement>('button')
export const detail = (term: string) => within(card()).getByText(term).nextElementSibling
