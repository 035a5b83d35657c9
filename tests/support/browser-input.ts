import { expect, type Locator, type Page } from 'playwright/test'

const MAX_TABS = 80

/** Clicks by keyboard only, so the target must be reachable by Tab. */
export async function press(target: Locator): Promise<void> {
  await tabTo(target)
  await target.page().keyboard.press('Enter')
}

export async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field)
  await field.page().keyboard.press('ControlOrMeta+a')
  await field.page().keyboard.type(text)
}

export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor()
  const key = (await target.evaluate(isBeforeFocus)) ? 'Shift+Tab' : 'Tab'
  for (let tabs = 0; tabs < MAX_TABS; tabs++) {
    if (await hasFocus(target)) return
    await target.page().keyboard.press(key)
  }
  throw new Error(`${target.toString()} cannot be reached by ${key}`)
}

/** Expects that Tab does not leave this dialog. */
export async function expectFocusInside(dialog: Locator, presses: number): Promise<void> {
  for (let press = 0; press < presses; press++) {
    await dialog.page().keyboard.press('Tab')
    // The body counts as inside, because it is the active element when the browser’s toolbar has
    // the focus.
    const isInside = await dialog.evaluate(element => {
      const active = document.activeElement
      return active === document.body || element.contains(active)
    })
    expect(isInside).toBe(true)
  }
}

export function focusedElement(page: Page): Locator {
  return page.locator(':focus')
}

function hasFocus(target: Locator) {
  return target.evaluate(
    element => element === (element.getRootNode() as Document | ShadowRoot).activeElement
  )
}

function isBeforeFocus(element: Element) {
  const active = (element.getRootNode() as Document | ShadowRoot).activeElement
  if (active === null || active === document.body) return false
  return (active.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING) !== 0
}
