import type { Locator, Page } from 'playwright/test'
import type { Discount, FlashDeal } from '#lib/contract/promotions.ts'
import { paths } from '#lib/paths.ts'
import { applyDiscount, fromRupees, toRupees } from '#lib/money.ts'
import { waitForHydration } from './browser-pages.ts'

export const DRAW_URL = '**/api/flash-deals/generate/*'

interface MockReplies {
  deals?: readonly FlashDeal[]
  discounts?: readonly Discount[]
  /** Every draw returns this percentage. */
  drawnPercent?: number
}

export class FlashDealsPage {
  readonly page: Page
  readonly deals: readonly FlashDeal[]

  constructor(page: Page, deals: readonly FlashDeal[]) {
    this.page = page
    this.deals = deals
  }

  async open(): Promise<void> {
    await this.page.goto(paths.deals)
    await waitForHydration(this.page)
  }

  get cards(): Locator {
    return this.page.getByRole('main').getByRole('article')
  }

  card(name: string): Locator {
    return this.cards.filter({ has: this.page.getByRole('link', { name, exact: true }) })
  }

  drawButton(name: string): Locator {
    return this.page.getByRole('button', { name: `Click to get your discount: ${name}` })
  }

  addButton(name: string): Locator {
    return this.page.getByRole('button', { name: `Add to Cart: ${name}` })
  }

  detail(name: string, term: 'Your Discount' | 'Your Price'): Locator {
    return this.card(name).locator('dt', { hasText: term }).locator('+ dd')
  }

  get firstDeal(): FlashDeal {
    const [deal] = this.deals
    if (!deal) throw new Error('The shop has no deals')
    return deal
  }

  get firstDealName(): string {
    return this.firstDeal.productId.name
  }

  makeDiscount(discount: number, deal = this.firstDeal, draft: Partial<Discount> = {}): Discount {
    const { _id: dealId, productId, endTime, serverTime } = deal
    const price = toRupees(applyDiscount(fromRupees(productId.price), discount))
    return {
      dealId,
      productId: productId._id,
      discount,
      price,
      originalPrice: productId.price,
      endTime,
      serverTime,
      used: false,
      ...draft
    }
  }

  async mockApi({ deals = this.deals, discounts = [], drawnPercent }: MockReplies): Promise<void> {
    await this.page.route('**/api/flash-deals', route => route.fulfill({ json: deals }))
    await this.page.route('**/api/flash-deals/mine', route => route.fulfill({ json: discounts }))
    if (drawnPercent === undefined) return
    await this.page.route(DRAW_URL, route => {
      const id = route.request().url().split('/').at(-1)
      return route.fulfill({
        json: this.makeDiscount(
          drawnPercent,
          deals.find(deal => deal.productId._id === id)
        )
      })
    })
  }
}
