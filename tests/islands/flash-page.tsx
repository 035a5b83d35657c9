import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { cleanStores } from 'nanostores'
import { onTestFinished, vi } from 'vitest'
import type { Discount, FlashDeal } from '#lib/contract/deals.ts'
import type { DealView } from '#lib/deal-view.ts'
import { dealOf, flashDeal, NOW } from '../support/deals.ts'
import { LOGGED_IN, openDealsPage } from '../support/flash.ts'
import { answers } from '../support/session.ts'

interface Visit {
  loggedIn?: boolean
  still?: boolean
  prebuilt?: readonly DealView[]
  /** What the shop answers; without it there is no network. */
  deals?: readonly FlashDeal[] | undefined
  mine?: readonly Discount[]
  draw?: () => Response | Promise<Response>
}

export const PAK = dealOf('pak')

/** Before each test: the time stands until it is let pass. */
export function stopTime(): void {
  vi.useFakeTimers({ now: Date.parse(NOW) })
}

export function leavePage(): void {
  cleanup()
  document.body.innerHTML = ''
  vi.useRealTimers()
}

/** The Flash Deals page's island, in a page of its own. */
export async function prepare(visit: Visit = {}) {
  const { loggedIn = false, still = false, prebuilt = [PAK], mine = [], draw } = visit
  const deals = 'deals' in visit ? visit.deals : [flashDeal('pak')]
  const page = await openDealsPage({
    send: answers({
      ...(deals && {
        'GET /flash-deals': () => Response.json(deals),
        'GET /flash-deals/mine': () => Response.json(mine)
      }),
      ...(draw && { 'POST /flash-deals/generate/pak': draw })
    }),
    ...(loggedIn && { user: LOGGED_IN }),
    still
  })
  const { FlashDeals } = await import('#islands/deals/FlashDeals.tsx')
  onTestFinished(() => cleanStores(page.$cart, page.$shopper, page.$now))
  return { ...page, island: <FlashDeals deals={prebuilt} /> }
}

export async function openDeals(visit: Visit = {}) {
  const page = await prepare(visit)
  render(page.island)
  await pass(0)
  return page
}

export function pass(ms: number): Promise<void> {
  return act(async () => void (await vi.advanceTimersByTimeAsync(ms)))
}

export async function press(name: string): Promise<void> {
  fireEvent.click(screen.getByRole('button', { name }))
  await pass(0)
}

export const card = () => screen.getByRole('article')
export const button = () => within(card()).getByRole<HTMLButtonElement>('button')
export const fact = (term: string) => within(card()).getByText(term).nextElementSibling
