import { afterAll, vi } from 'vitest'

// The files of a worker share libraries and the window, but not the state of our modules.
vi.resetModules()

// An earlier file may have left stubs, a cart, a session or the address of an order.
vi.unstubAllGlobals()
localStorage.clear()
sessionStorage.clear()
if ('document' in globalThis) history.replaceState(null, '', '/')

// The browser has no way to define a custom element again, so the elements of an earlier file would
// keep its modules.
if ('document' in globalThis) {
  const { PropertySymbol } = await import('happy-dom')
  Object.assign(customElements, {
    [PropertySymbol.registry]: new Map(),
    [PropertySymbol.classRegistry]: new Map()
  })
}

// Otherwise stores of this file would answer events of the next files, for example with a redirect.
for (const target of 'document' in globalThis ? [window, document] : [window]) {
  const { addEventListener: add, removeEventListener: remove } = target
  const added: Parameters<typeof add>[] = []
  target.addEventListener = (...args: Parameters<typeof add>) => {
    added.push(args)
    add.apply(target, args)
  }
  afterAll(() => {
    target.addEventListener = add
    // React adds this listener only once to a document.
    for (const args of added) if (args[0] !== 'selectionchange') remove.apply(target, args)
  })
}
