import { setMaxListeners } from 'node:events'
import { MemoryStorage } from './memory-storage.ts'

// happy-dom is not used, because the server runs in the same process and would not find its files
// there.
if (!('window' in globalThis)) {
  const window = new EventTarget()
  // Every page adds some listeners, and nanostores removes them only one second later.
  setMaxListeners(0, window)
  Object.assign(globalThis, {
    window,
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    localStorage: new MemoryStorage(),
    sessionStorage: new MemoryStorage()
  })
}
