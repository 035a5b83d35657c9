import type { Page } from 'playwright/test'
import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { expect, phone, test } from '../support/browser.ts'

const CALL = '**/api/contact'
const ASHA = { name: 'Asha Devi', email: 'asha@example.com', message: 'Do you send murukku to Salem?' }

test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } })

test.describe('contact form', () => {
  test("a message is sent: 'Message Sent!'", async ({ page }) => {
    await open(page)
    await fill(page, ASHA)
    await send(page)
    await expect(page.getByText('Message Sent!').first()).toBeVisible()
    await expect(page.getByText("We'll get back to you as soon as possible.").first()).toBeVisible()
    await expect(page.getByLabel('Message')).toHaveCount(0)
  })

  test('every field is required, and each says so beside itself', async ({ page }) => {
    await refuseCalls(page)
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

  test('a wrong e-mail is told, and the telling ends as soon as it is right', async ({ page }) => {
    await refuseCalls(page)
    await open(page)
    await fill(page, { ...ASHA, email: 'asha.example.com' })
    await expect(page.getByText(MESSAGES.contactEmailInvalid).filter({ visible: true })).toHaveCount(0)
    await send(page)
    await expect(page.getByText(MESSAGES.contactEmailInvalid).filter({ visible: true })).toBeVisible()
    await page.getByLabel('Email').fill('asha@example.com')
    await expect(page.getByText(MESSAGES.contactEmailInvalid).filter({ visible: true })).toHaveCount(0)
  })

  test("a failure says 'Failed to send message.' and keeps what was typed", async ({ page, forgiven }) => {
    forgiven.push(/status of 500|net::ERR/)
    await open(page)
    await fill(page, ASHA)
    for (const failing of [{ status: 500, json: { code: 'INTERNAL' } }, undefined]) {
      await page.route(CALL, route => (failing ? route.fulfill(failing) : route.abort()))
      await send(page)
      await expect(page.getByText('Failed to send message.').first()).toBeVisible()
      await expect(page.getByLabel('Message')).toHaveValue(ASHA.message)
      await page.unroute(CALL)
    }
  })

  test('what the shop refuses is said beside its field, and not in a toast as well', async ({ page, forgiven }) => {
    forgiven.push(/status of 400/)
    const fields = { email: 'This address takes no mail' }
    await page.route(CALL, route => route.fulfill({ status: 400, json: { code: 'INVALID_INPUT', fields } }))
    await open(page)
    await fill(page, ASHA)
    await send(page)
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription(fields.email)
    await expect(page.getByLabel('Email')).toBeFocused()
    await expect(page.getByRole('alert')).toHaveCount(0)
  })

  test('a message sent after a failure is announced in its place, and the heading is in view', async ({
    page,
    forgiven
  }) => {
    forgiven.push(/status of 500/)
    await page.route(CALL, route => route.fulfill({ status: 500, json: { code: 'INTERNAL' } }), { times: 1 })
    await open(page)
    await fill(page, ASHA)
    await send(page)
    await expect(page.getByRole('alert')).toContainText('Failed to send message.')
    await send(page)
    const said = page.getByRole('status').filter({ hasText: 'Message Sent!' })
    await expect(said).toContainText("We'll get back to you as soon as possible.")
    await expect(page.getByRole('alert')).toHaveCount(0)
    const heading = page.getByRole('heading', { name: 'Message Sent!' })
    await expect(heading).toBeFocused()
    await expect.poll(() => heading.evaluate(isUncovered)).toBe(true)
  })

  test('two quick taps send one message', async ({ page }) => {
    let calls = 0
    await page.route(CALL, async route => {
      calls++
      await new Promise(resolve => setTimeout(resolve, 300))
      await route.fulfill({ json: { message: MESSAGES.contactSentText, reference: 'M-1' } })
    })
    await open(page)
    await fill(page, ASHA)
    const button = sender(page)
    await button.evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })
    await expect(page.getByText('Message Sent!').first()).toBeVisible()
    expect(calls).toBe(1)
  })

  test('the right keyboards and names for autofill', async ({ page }) => {
    await open(page)
    await expect(page.getByLabel('Name')).toHaveAttribute('autocomplete', 'name')
    await expect(page.getByLabel('Email')).toHaveAttribute('type', 'email')
    await expect(page.getByLabel('Email')).toHaveAttribute('autocomplete', 'email')
    const trap = page.locator('form [name="website"]')
    await expect(trap).not.toBeInViewport()
    await expect(trap).toHaveAttribute('tabindex', '-1')
  })
})

test.describe('contact form without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a message is sent all the same', async ({ page }) => {
    await open(page)
    await fill(page, ASHA)
    await send(page)
    await expect(page.getByText('Message Sent!').first()).toBeVisible()
    await expect(page).toHaveURL(paths.contactSent)
  })
})

test.describe('contact page', () => {
  test('has the shop’s address, phone, e-mail and hours', async ({ page }) => {
    await open(page)
    const main = page.getByRole('main')
    await expect(main).toContainText('Tiruchirappalli')
    await expect(main.locator('a[href^="tel:+"]').first()).toBeVisible()
    await expect(main.locator('a[href^="mailto:"]').first()).toBeVisible()
  })

  test('the map is fetched only after a tap', async ({ page }) => {
    const asked: string[] = []
    await page.route(/openstreetmap\.org/, route => {
      asked.push(route.request().url())
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Map</title>' })
    })
    await open(page)
    const map = page.locator('map-on-tap')
    await map.scrollIntoViewIfNeeded()
    await page.waitForTimeout(500)
    expect(asked).toEqual([])
    await map.getByRole('button').tap()
    await expect(map.locator('iframe')).toHaveAttribute('title', /\S/)
    await expect.poll(() => asked.length).toBe(1)
    expect(asked[0]).toContain('10.827')
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

function isUncovered(element: Element): boolean {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element
}

function sender(page: Page) {
  return page.getByRole('main').getByRole('button', { name: /^send/i })
}

async function send(page: Page): Promise<void> {
  await sender(page).click()
}

async function refuseCalls(page: Page): Promise<void> {
  await page.route(CALL, () => {
    throw new Error('Nothing may be sent')
  })
}
