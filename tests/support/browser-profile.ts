import type { Locator, Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expect, test as base, type Accounts, type Shopper } from './browser-accounts.ts'

export { expect }

export class ProfilePage {
  readonly page: Page
  readonly #accounts: Accounts
  readonly #shopper: Shopper

  constructor(page: Page, accounts: Accounts, shopper: Shopper) {
    this.page = page
    this.#accounts = accounts
    this.#shopper = shopper
  }

  async open(shopper = this.#shopper): Promise<void> {
    await this.#accounts.logIn(this.page, shopper)
    await this.page.goto(paths.profile)
    await this.button('Edit').waitFor()
  }

  get form(): Locator {
    return this.page.getByRole('form', { name: 'Your details' })
  }

  field(label: string): Locator {
    return this.form.getByLabel(label, { exact: true })
  }

  detail(term: string): Locator {
    return this.page.locator('dt', { hasText: term }).locator('+ dd')
  }

  button(name: string): Locator {
    return this.page.getByRole('main').getByRole('button', { name, exact: true })
  }

  section(title: string): Locator {
    return this.page.locator('details', { has: this.page.getByRole('heading', { name: title }) })
  }
}

export const test = base.extend<{ profile: ProfilePage }>({
  profile: async ({ page, accounts, shopper }, use) => use(new ProfilePage(page, accounts, shopper))
})
