import { vi } from 'vitest'

// The files of a worker share React and the window, but not the state of our modules.
vi.resetModules()

// An earlier file may have left stubs, a cart or a session.
vi.unstubAllGlobals()
localStorage.clear()
sessionStorage.clear()
