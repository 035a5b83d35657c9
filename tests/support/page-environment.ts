import { builtinEnvironments, type Environment } from 'vitest/environments'
import { MemoryStorage } from './memory-storage.ts'

/**
 * happy-dom with one window for all files of a worker, because React, Testing Library and
 * @nanostores/persistent keep what they found when they were loaded. Loading them again for each
 * file would take half of the CPU time of these tests.
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
    }
    return { teardown: () => undefined }
  }
} satisfies Environment
