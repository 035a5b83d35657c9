import { expect, type Locator, type Page } from 'playwright/test'
import { t } from '#lib/contract/texts.ts'
import { paths } from '#lib/paths.ts'
import type { Accounts, Shopper } from './browser-accounts.ts'

export const MYSORE_PAK = paths.product('mysore-pak')
export const NO_PRODUCT = paths.product('no-such-sweet')
export const NO_PAGE = '/no-such-page'

export const POLICIES = [paths.privacy, paths.terms, paths.refund, paths.shipping]

export const CONTENT_PAGES = [
  paths.home,
  MYSORE_PAK,
  paths.blogs,
  paths.about,
  paths.contact,
  ...POLICIES
]

export const PUBLIC_PAGES = [...CONTENT_PAGES, paths.products, paths.deals, NO_PAGE, NO_PRODUCT]

/** Chromium logs a console error for every 404 page. */
export const NOT_FOUND_STATUS = /status of 404/

export class ProductList {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(query = '') {
    await this.page.goto(`${paths.products}${query && `?${query}`}`)
    await waitForHydration(this.page)
  }

  get search(): Locator {
    return this.page.getByRole('searchbox', { name: t('Search products') })
  }

  get sort(): Locator {
    return this.page.getByRole('combobox', { name: /sort/i })
  }

  option(group: 'Category' | 'Dietary' | 'Price', name: string) {
    return this.page.getByRole('group', { name: group }).getByRole('radio', { name, exact: true })
  }

  card(name: string) {
    return this.page
      .getByRole('article')
      .filter({ has: this.page.getByRole('link', { name, exact: true }) })
  }

  async expectShown(ids: readonly string[]) {
    await expect.poll(() => this.shownIds()).toEqual(ids)
  }

  shownIds() {
    // Not by role: Playwright overlooks links in cards whose rendering the browser has put off.
    const links = this.page.getByRole('main').locator('article h3 a')
    return links.evaluateAll(all =>
      all.map(link => link.getAttribute('href')?.replace('/products/', '') ?? '')
    )
  }
}

export class LoginPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(query = '') {
    await this.page.goto(`${paths.login}${query}`)
    await waitForHydration(this.page)
  }

  tab(name: 'Login' | 'Register') {
    return this.page.getByRole('tab', { name })
  }

  get panel(): Locator {
    return this.page.getByRole('tabpanel')
  }

  field(label: 'Name' | 'Email' | 'Password' | 'One-time code') {
    return this.panel.getByLabel(label, { exact: true })
  }

  button(name: string) {
    return this.panel.getByRole('button', { name, exact: true })
  }

  async logIn({ email, password }: { email: string; password: string }) {
    await this.field('Email').fill(email)
    await this.field('Password').fill(password)
    await this.button('Login').click()
  }
}

export class ProfilePage {
  readonly page: Page
  readonly #accounts: Accounts
  readonly #shopper: Shopper

  constructor(page: Page, accounts: Accounts, shopper: Shopper) {
    this.page = page
    this.#accounts = accounts
    this.#shopper = shopper
  }

  async open(shopper = this.#shopper) {
    await this.#accounts.logIn(this.page, shopper)
    await this.page.goto(paths.profile)
    await this.button(t('Edit')).waitFor()
  }

  get form(): Locator {
    return this.page.getByRole('form', { name: t('Your details') })
  }

  field(label: string) {
    return this.form.getByLabel(label, { exact: true })
  }

  detail(term: string) {
    return this.page.locator('dt', { hasText: term }).locator('+ dd')
  }

  button(name: string) {
    return this.page.getByRole('main').getByRole('button', { name, exact: true })
  }

  section(title: string) {
    return this.page.locator('details', { has: this.page.getByRole('heading', { name: title }) })
  }
}

/** Astro removes the `ssr` attribute when an island is hydrated. */
export async function waitForHydration(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
}

export function addButton(page: Page): Locator {
  return page
    .getByRole('main')
    .getByRole('button', { name: t('Add to Cart') })
    .first()
}

export function cartBadge(page: Page): Locator {
  return page.getByRole('banner').locator('cart-badge').first()
}

export function toast(page: Page, title: string): Locator {
  return page.locator('toast-region [data-kind]').filter({ hasText: title })
}

export function userMenu(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /^Account of/ })
}

export function loginLink(page: Page): Locator {
  return page.getByRole('banner').getByRole('link', { name: 'Login', exact: true })
}

export function storedSession(
  page: Page
): Promise<{ token: string | null; user: { name: string; role: string } | null }> {
  return page.evaluate(() => ({
    token: localStorage.getItem('token'),
    user: JSON.parse(localStorage.getItem('user') ?? 'null') as {
      name: string
      role: string
    } | null
  }))
}
