import type { Page } from 'playwright/test'
import { axeFindings, expect } from './browser.ts'

/** What a thumb needs, in px. */
const TARGET = 44

/** No finding of axe, nothing to scroll sideways, and nothing too small for a thumb. */
export async function isWellMade(page: Page, state: string): Promise<void> {
  expect(await axeFindings(page), state).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), state).toBe(0)
  const pressed = page.locator('button, input, select, summary, [role=tab]')
  expect(await pressed.evaluateAll(smallerThan, TARGET), state).toEqual([])
}

function smallerThan(elements: Element[], least: number): string[] {
  return elements
    .map(element =>
      element.matches('[type=radio], [type=checkbox]') ? (element.closest('label') ?? element) : element
    )
    .filter(element => element.checkVisibility())
    .filter(element => {
      const { width, height } = element.getBoundingClientRect()
      return Math.round(Math.min(width, height)) < least
    })
    .map(element => element.outerHTML.slice(0, 120))
}
