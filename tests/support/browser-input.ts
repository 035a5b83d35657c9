import type { Locator, Page } from 'playwright/test'

/** The most presses of Tab from one end of a page to the other. */
const MAX_TABS = 80

/** How somebody works with a page. */
export interface InputMethod {
  click(target: Locator): Promise<void>
  /** Types over whatever stands in a field. */
  fill(field: Locator, text: string): Promise<void>
  /** Takes one of several tabs. */
  selectTab(tab: Locator): Promise<void>
}

const mouse: InputMethod = {
  click: target => target.click(),
  async fill(field, text) {
    await field.click({ clickCount: 3 })
    await field.page().keyboard.type(text)
  },
  selectTab: tab => tab.click()
}

/** Nothing is touched but keys: what can't be reached by Tab is not there. */
const keyboard: InputMethod = {
  async click(target) {
    await tabTo(target)
    await target.page().keyboard.press('Enter')
  },
  async fill(field, text) {
    await tabTo(field)
    await field.page().keyboard.press('ControlOrMeta+a')
    await field.page().keyboard.type(text)
  },
  async selectTab(tab) {
    await tabTo(tab.page().getByRole('tab', { selected: true }))
    for (let press = 0; press < 2 && !(await hasFocus(tab)); press++) await tab.page().keyboard.press('ArrowRight')
  }
}

export const INPUT_METHODS: Readonly<Record<'mouse' | 'keyboard', InputMethod>> = { mouse, keyboard }

/** Goes to something by Tab, or by Shift+Tab when it stands before what has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  const key = (await target.evaluate(isBeforeFocus)) ? 'Shift+Tab' : 'Tab'
  for (let press = 0; press < MAX_TABS; press++) {
    if (await hasFocus(target)) return
    await target.page().keyboard.press(key)
  }
  throw new Error(`${target.toString()} can't be reached by ${key}`)
}

/** What has the focus, in the words of its role and name. */
export function focused(page: Page): Locator {
  return page.locator(':focus')
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate(element => element === (element.getRootNode() as Document | ShadowRoot).activeElement)
}

function isBeforeFocus(element: Element): boolean {
  const active = (element.getRootNode() as Document | ShadowRoot).activeElement
  if (active === null || active === document.body) return false
  return (active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
}
