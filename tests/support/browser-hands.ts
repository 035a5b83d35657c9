import type { Locator, Page } from 'playwright/test'

/** The most presses of Tab from one end of a page to the other. */
const FAR = 80

/** How somebody works with a page. */
export interface Hands {
  press(target: Locator): Promise<void>
  /** Types over whatever stands in a field. */
  type(field: Locator, text: string): Promise<void>
  /** Takes one of several tabs. */
  choose(tab: Locator): Promise<void>
}

const mouse: Hands = {
  press: target => target.click(),
  async type(field, text) {
    await field.click({ clickCount: 3 })
    await field.page().keyboard.type(text)
  },
  choose: tab => tab.click()
}

/** Nothing is touched but keys: what can't be reached by Tab is not there. */
const keyboard: Hands = {
  async press(target) {
    await tabTo(target)
    await target.page().keyboard.press('Enter')
  },
  async type(field, text) {
    await tabTo(field)
    await field.page().keyboard.press('ControlOrMeta+a')
    await field.page().keyboard.type(text)
  },
  async choose(tab) {
    await tabTo(tab.page().getByRole('tab', { selected: true }))
    for (let press = 0; press < 2 && !(await hasFocus(tab)); press++) await tab.page().keyboard.press('ArrowRight')
  }
}

export const HANDS: Readonly<Record<'mouse' | 'keyboard', Hands>> = { mouse, keyboard }

/** Goes to something by Tab, or by Shift+Tab when it stands before what has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  const key = (await target.evaluate(standsBefore)) ? 'Shift+Tab' : 'Tab'
  for (let press = 0; press < FAR; press++) {
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

function standsBefore(element: Element): boolean {
  const active = (element.getRootNode() as Document | ShadowRoot).activeElement
  if (active === null || active === document.body) return false
  return (active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
}
