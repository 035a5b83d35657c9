import type { Page } from 'playwright/test'
import { axeFindings, expect } from './browser.ts'

const MIN_TARGET_PX = 44

/** Expects no axe violations, no horizontal scrolling and no target under 44 px. */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  expect(await axeFindings(page), state).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), state).toBe(0)
  const controls = page.locator('button, input, select, summary, [role=tab]')
  expect(await controls.evaluateAll(findSmallTargets, MIN_TARGET_PX), state).toEqual([])
}

function findSmallTargets(elements: Element[], min: number): string[] {
  return elements
    .map(element =>
      element.matches('[type=radio], [type=checkbox]') ? (element.closest('label') ?? element) : element
    )
    .filter(element => element.checkVisibility())
    .filter(element => {
      const { width, height } = element.getBoundingClientRect()
      return Math.round(Math.min(width, height)) < min
    })
    .map(element => element.outerHTML.slice(0, 120))
}
