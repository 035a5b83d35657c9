import type { Locator, Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expect, test as base } from './browser-accounts.ts'

export { expect }

export class LoginPage {
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`${paths.login}${query}`)
    await waitForHydration(this.page)
  }

  tab(name: 'Login' | 'Register'): Locator {
    return this.page.getByRole('tab', { name })
  }

  get panel(): Locator {
    return this.page.getByRole('tabpanel')
  }

  field(label: 'Name' | 'Email' | 'Password' | 'One-time code'): Locator {
    return this.panel.getByLabel(label, { exact: true })
  }

  button(name: string): Locator {
    return this.panel.getByRole('button', { name, exact: true })
  }

  async logIn({ email, password }: { email: string; password: string }): Promise<void> {
    await this.field('Email').fill(email)
    await this.field('Password').fill(password)
    await this.button('Login').click()
  }
}

/** Astro removes the `ssr` attribute when an island is hydrated. */
export async function waitForHydration(page: Page): Promise<void> {
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0)
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
    user: JSON.parse(localStorage.getItem('user') ?? 'null') as { name: string; role: string } | null
  }))
}

export const test = base.extend<{ login: LoginPage }>({
  login: async ({ page }, use) => use(new LoginPage(page))
})
