import type { Page } from 'playwright/test'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { expect, phone, test } from '../support/browser.ts'

const CONTACT_URL = '**/api/contact'
const ASHA = { name: 'Asha Devi', email: 'asha@example.com', message: 'Do you send murukku to Salem?' }

test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

test.describe('Contact form', () => {
  test('sends a message and confirms it', async ({ page }) => {
    await open(page)
    await fill(page, ASHA)
    await send(page)
    await expect(page.getByText('Message Sent!').first()).toBeVisible()
    await expect(page.getByText("We'll get back to you as soon as possible.").first()).toBeVisible()
    await expect(page.getByLabel('Message')).toHaveCount(0)
  })

  test('shows an error at every empty field', async ({ page }) => {
    await forbidRequests(page)
    await open(page)
    await send(page)
    for (const [label, text] of Object.entries({
      Name: MESSAGES.contactNameRequired,
      Email: MESSAGES.contactEmailRequired,
      Message: MESSAGES.contactMessageRequired
    })) {
      const field = page.getByLabel(label)
      await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible()
      await expect(field).toHaveAttribute('aria-invalid', 'true')
      await expect(field).toHaveAccessibleDescription(new RegExp(text))
    }
    await expect(page.locator(':focus')).toBeVisible()
  })

  test('shows an error for an invalid email until the email is corrected', async ({ page }) => {
    await forbidRequests(page)
    await open(page)
    await fill(page, { ...ASHA, email: 'asha.example.com' })
    await expect(page.getByText(MESSAGES.contactEmailInvalid).filter({ visible: true })).toHaveCount(0)
    await send(page)
    await expect(page.getByText(MESSAGES.contactEmailInvalid).filter({ visible: true })).toBeVisible()
    await page.getByLabel('Email').fill('asha@example.com')
    await expect(page.getByText(MESSAGES.contactEmailInvalid).filter({ visible: true })).toHaveCount(0)
  })

  test('reports a failure and keeps the input', async ({ page, allowedErrors }) => {
    allowedErrors.push(/status of 500|net::ERR/)
    await open(page)
    await fill(page, ASHA)
    for (const response of [{ status: 500, json: { code: 'INTERNAL' } }, undefined]) {
      await page.route(CONTACT_URL, route => (response ? route.fulfill(response) : route.abort()))
      await send(page)
      await expect(page.getByText('Failed to send message.').first()).toBeVisible()
      await expect(page.getByLabel('Message')).toHaveValue(ASHA.message)
      await page.unroute(CONTACT_URL)
    }
  })

  test('shows a server-side field error at the field, without a toast', async ({ page, allowedErrors }) => {
    allowedErrors.push(/status of 400/)
    const fields = { email: 'This address takes no mail' }
    await page.route(CONTACT_URL, route => route.fulfill({ status: 400, json: { code: 'INVALID_INPUT', fields } }))
    await open(page)
    await fill(page, ASHA)
    await send(page)
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription(fields.email)
    await expect(page.getByLabel('Email')).toBeFocused()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('replaces the error with a focused confirmation after a successful retry', async ({ page, allowedErrors }) => {
    allowedErrors.push(/status of 500/)
    await page.route(CONTACT_URL, route => route.fulfill({ status: 500, json: { code: 'INTERNAL' } }), { times: 1 })
    await open(page)
    await fill(page, ASHA)
    await send(page)
    await expect(page.getByRole('alert')).toContainText('Failed to send message.')
    await send(page)
    const confirmation = page.getByRole('status').filter({ hasText: 'Message Sent!' })
    await expect(confirmation).toContainText("We'll get back to you as soon as possible.")
    await expect(page.getByRole('alert')).toHaveCount(0)
    const heading = page.getByRole('heading', { name: 'Message Sent!' })
    await expect(heading).toBeFocused()
    await expect.poll(() => heading.evaluate(isVisibleOnTop)).toBe(true)
  })

  test('sends one message for two quick clicks', async ({ page }) => {
    let calls = 0
    await page.route(CONTACT_URL, async route => {
      calls++
      await new Promise(resolve => setTimeout(resolve, 300))
      await route.fulfill({ json: { message: MESSAGES.contactSentText, reference: 'M-1' } })
    })
    await open(page)
    await fill(page, ASHA)
    const button = sendButton(page)
    await button.evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })
    await expect(page.getByText('Message Sent!').first()).toBeVisible()
    expect(calls).toBe(1)
  })

  test('has autofill attributes and a hidden field that catches spam bots', async ({ page }) => {
    await open(page)
    await expect(page.getByLabel('Name')).toHaveAttribute('autocomplete', 'name')
    await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'email')
    const spamField = page.locator('form [name="website"]')
    await expect(spamField).not.toBeInViewport()
    await expect(spamField).toHaveAttribute('tabindex', '-1')
  })
})

test.describe('Contact form without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('sends a message', async ({ page }) => {
    await open(page)
    await fill(page, ASHA)
    await send(page)
    await expect(page.getByText('Message Sent!').first()).toBeVisible()
    await expect(page).toHaveURL(paths.contactSent)
  })
})

test.describe('Contact page', () => {
  test('shows the shop’s address, phone and email', async ({ page }) => {
    await open(page)
    const main = page.getByRole('main')
    await expect(main).toContainText('Tiruchirappalli')
    await expect(main.locator('a[href^="tel:+"]').first()).toBeVisible()
    await expect(main.locator('a[href^="mailto:"]').first()).toBeVisible()
  })

  test('loads the map only after a tap', async ({ page }) => {
    const requests: string[] = []
    await page.route(/openstreetmap\.org/, route => {
      requests.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Map</title>' })
    })
    await open(page)
    const map = page.locator('map-on-tap')
    await map.scrollIntoViewIfNeeded()
    await page.waitForTimeout(500)
    expect(requests).toEqual([])
    await map.getByRole('button').tap()
    await expect(map.locator('iframe')).toHaveAttribute('title', /\S/)
    await expect.poll(() => requests.length).toBe(1)
    expect(requests[0]).toContain('10.827')
  })
})

async function open(page: Page): Promise<void> {
  await page.goto(paths.contact)
}

async function fill(page: Page, { name, email, message }: typeof ASHA): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Message').fill(message)
}

function isVisibleOnTop(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element
}

function sendButton(page: Page) {
  return page.getByRole('main').getByRole('button', { name: /^send/i })
}

async function send(page: Page): Promise<void> {
  await sendButton(page).click()
}

async function forbidRequests(page: Page): Promise<void> {
  await page.route(CONTACT_URL, () => {
    throw new Error('Unexpected contact request')
  })
}
