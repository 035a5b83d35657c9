import type { Page } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { expectAccessible } from '../support/browser-checks.ts'
import { expect, phone, test } from '../support/browser.ts'
import { FIELD_TEXTS } from '#lib/contract/formats.ts'

const CONTACT_URL = '**/api/contact'
const ASHA = {
  name: 'Asha Devi',
  email: 'asha@example.com',
  message: 'Do you send murukku to Salem?'
}

test.use(phone)

test.describe('Contact form', () => {
  test('shows an error at each invalid field until it is corrected', async ({ page }) => {
    await page.goto(paths.contact)
    await expect(
      page.locator('form [name="website"]'),
      'hidden field that catches bots'
    ).not.toBeInViewport()
    for (const [label, token] of Object.entries({ Name: 'name', Email: 'email' }))
      await expect(page.getByLabel(label)).toHaveAttribute('autocomplete', token)
    await sendButton(page).click()
    for (const [label, text] of Object.entries({
      Name: FIELD_TEXTS.contactNameRequired,
      Email: FIELD_TEXTS.contactEmailRequired,
      Message: FIELD_TEXTS.contactMessageRequired
    })) {
      await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true')
      await expect(page.getByLabel(label)).toHaveAccessibleDescription(new RegExp(text))
    }
    await expect(page.locator(':focus')).toBeVisible()
    await expectAccessible(page, 'errors')
    const invalidEmail = page.getByText(FIELD_TEXTS.contactEmailInvalid).filter({ visible: true })
    await fill(page, { ...ASHA, email: 'asha.example.com' })
    await sendButton(page).click()
    await expect(invalidEmail).toBeVisible()
    await page.getByLabel('Email').fill(ASHA.email)
    await expect(invalidEmail).toHaveCount(0)
  })

  test('keeps the input after a failure and replaces the error with a focused confirmation', async ({
    page,
    allowedErrors
  }) => {
    allowedErrors.push(/status of [45]00/)
    await page.goto(paths.contact)
    await fill(page, ASHA)
    await page.reload()
    await expect(page.getByLabel('Message')).toHaveValue(ASHA.message)
    const fields = { email: 'This address takes no mail' }
    const replies = [
      { status: 400, json: { code: 'INVALID_INPUT', fields } },
      { status: 500, json: { code: 'INTERNAL' } }
    ]
    for (const reply of replies.toReversed())
      await page.route(CONTACT_URL, route => route.fulfill(reply), { times: 1 })
    await sendButton(page).click()
    await expect(page.getByLabel('Email')).toHaveAccessibleDescription(fields.email)
    await expect(page.getByLabel('Email')).toBeFocused()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await sendButton(page).click()
    await expect(page.getByRole('alert')).toContainText('Failed to send message.')
    await sendButton(page).click()
    const confirmation = page.getByRole('status').filter({ hasText: 'Message Sent!' })
    await expect(confirmation).toContainText("We'll get back to you as soon as possible.")
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByLabel('Message')).toHaveCount(0)
    const heading = page.getByRole('heading', { name: 'Message Sent!' })
    await expect(heading).toBeFocused()
    await expect.poll(() => heading.evaluate(isVisibleOnTop)).toBe(true)
  })

  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('sends a message', async ({ page }) => {
      await page.goto(paths.contact)
      await fill(page, ASHA)
      await sendButton(page).click()
      await expect(page.getByText('Message Sent!').first()).toBeVisible()
      await expect(page).toHaveURL(paths.contactSent)
    })
  })
})

test('The contact page loads the map only after a tap', async ({ page }) => {
  const requests: string[] = []
  await page.route(/openstreetmap\.org/, route => {
    requests.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Map</title>' })
  })
  await page.goto(paths.contact)
  const map = page.locator('map-on-tap')
  await map.scrollIntoViewIfNeeded()
  await page.waitForLoadState('networkidle')
  expect(requests).toEqual([])
  await map.getByRole('button').tap()
  await expect(map.locator('iframe')).toHaveAttribute('title', /\S/)
  await expect.poll(() => requests.length).toBe(1)
  expect(requests[0]).toContain('10.827')
})

async function fill(page: Page, { name, email, message }: typeof ASHA) {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Message').fill(message)
}

function sendButton(page: Page) {
  return page.getByRole('main').getByRole('button', { name: /^send/i })
}

function isVisibleOnTop(element: Element) {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element
}
