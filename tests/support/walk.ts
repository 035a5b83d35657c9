import { expect, type Locator, type Page } from 'playwright/test'
import { expectAccessible } from './browser-checks.ts'

const LAST_TAB = 200

/** What an owner does, counted: on a phone she taps, at a desk she has only a keyboard. */
export class Walk {
  readonly page: Page
  readonly #byKeyboard: boolean
  readonly #steps: { name: string; taps: number }[] = []

  constructor(page: Page, byKeyboard: boolean) {
    this.page = page
    this.#byKeyboard = byKeyboard
  }

  get taps(): number {
    return this.#steps.reduce((sum, { taps }) => sum + taps, 0)
  }

  /** A table: step, taps. */
  get table(): string {
    return this.#steps.map(({ name, taps }) => `${String(taps).padStart(4)}  ${name}`).join('\n')
  }

  async step(name: string, walk: () => Promise<void>) {
    this.#steps.push({ name, taps: 0 })
    await walk()
    await this.#look(name)
  }

  /** Pictures of the way are for people, `test-results/walk` has them. */
  async #look(name: string) {
    const file = `${String(this.taps).padStart(3, '0')} ${name}.png`
    const folder = this.#byKeyboard ? 'keyboard' : 'phone'
    await this.page.screenshot({ path: `test-results/walk/${folder}/${file}` })
    await expectAccessible(this.page, name)
  }

  /** Presses a link, a button, a checkbox or a radio button. */
  async tap(target: Locator) {
    if (await target.evaluate(element => element.matches('button'))) await this.#look('button')
    this.#count(1)
    // The label covers its control.
    const label = target.locator('xpath=ancestor::label')
    if (!this.#byKeyboard) return ((await label.count()) > 0 ? label : target).click()
    await this.#reach(target)
    const isLink = await target.evaluate(element => element.matches('a'))
    const isChosen = await target.evaluate(element => element.matches('[type=radio]:checked'))
    if (!isChosen) await this.page.keyboard.press(isLink ? 'Enter' : 'Space')
  }

  /** A tap into the field, unless it has the focus already. */
  async type(field: Locator, text: string) {
    await expect(field).toBeVisible()
    if (!(await hasFocus(field))) {
      this.#count(1)
      if (this.#byKeyboard) await this.#reach(field)
      else await field.click()
    }
    await this.page.keyboard.press('Control+A')
    await this.page.keyboard.insertText(text)
    await expect(field).toHaveValue(text)
  }

  /** On a phone, one tap opens the list and one chooses. */
  async choose(list: Locator, label: string) {
    this.#count(2)
    if (this.#byKeyboard) await this.#reach(list)
    await list.selectOption(label)
  }

  #count(taps: number) {
    const step = this.#steps.at(-1)
    if (step) step.taps += taps
  }

  async #reach(target: Locator) {
    await expect(target).toBeVisible()
    for (let tabs = 0; tabs < LAST_TAB; tabs++) {
      if (await hasFocus(target)) return
      // Tab stops once in a group of radio buttons. The arrow keys move inside of it.
      await this.page.keyboard.press((await isInFocusedGroup(target)) ? 'ArrowDown' : 'Tab')
    }
    throw new Error(`Not reached with Tab: ${String(target)}`)
  }
}

function hasFocus(target: Locator) {
  return target.evaluate(element => element.matches(':focus'))
}

function isInFocusedGroup(target: Locator) {
  return target.evaluate(element => {
    const { activeElement: focused } = document
    const isRadio = element instanceof HTMLInputElement && element.type === 'radio'
    return isRadio && focused instanceof HTMLInputElement && focused.name === element.name
  })
}
