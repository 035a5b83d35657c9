import { builtinEnvironments, type Environment } from 'vitest/environments'
import { MemoryStorage } from './memory-storage.ts'

/**
 * happy-dom with one window for all files of a worker, because React and Testing Library keep what
 * they found when they were loaded. Loading them again for each file would take half of the CPU
 * time of these tests.
 */
export default {
  name: 'page',
  transformMode: 'web',
  async setup(global: typeof globalThis) {
    if (!('document' in global)) {
      // A click on a link must not change the URL of this window, because the next files use it,
      // too.
      const settings = { navigation: { disableFallbackToSetURL: true } }
      await builtinEnvironments['happy-dom'].setup(global, { happyDOM: { settings } })
      Object.assign(global, {
        localStorage: new MemoryStorage(),
        sessionStorage: new MemoryStorage()
      })
      simplifyStyles(globalThis.window)
    }
    return { teardown: () => undefined }
  }
} satisfies Environment

/**
 * Queries by role ask for the display of every element, which happy-dom computes anew each time.
 * Without style sheets it depends only on the tag.
 */
function simplifyStyles(window: Window) {
  const compute = window.getComputedStyle.bind(window)
  const displays = new Map<string, string>()
  window.getComputedStyle = element => {
    const own = (element as HTMLElement).style
    if (own.display || own.visibility || !element.isConnected) return compute(element)
    const key = `${element.tagName} ${element.hasAttribute('open')}`
    const display = displays.get(key) ?? compute(element).display
    displays.set(key, display)
    const values: Record<string, string> = { display, visibility: 'visible' }
    const style = { ...values, getPropertyValue: (name: string) => values[name] ?? '' }
    return style as unknown as CSSStyleDeclaration
  }
}
