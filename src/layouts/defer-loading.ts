const page = document.documentElement
/** Delay after the load event, for browsers that don't report paints. */
const LOAD_DELAY_MS = 300
/** For the picture to be painted, and for a clicked element's script to load. */
const TIMEOUT_MS = 4000
const NEEDS_SCRIPT = '[type=button]:not([popovertarget]), a[aria-haspopup], [data-thumbnail]'

let clicks: Promise<unknown> = Promise.resolve()

function startLoading(): void {
  if (document.readyState === 'loading') return addEventListener('DOMContentLoaded', startLoading)
  if (page.dataset['deferred'] === undefined) return
  delete page.dataset['deferred']
  for (const template of document.querySelectorAll<HTMLTemplateElement>('template[data-deferred-script]')) {
    template.replaceWith(template.content)
  }
  dispatchEvent(new Event('main-picture-painted'))
}

function isReturningVisitor(): boolean {
  try {
    const visited = 'visited' in localStorage
    localStorage['visited'] = ''
    return visited
  } catch {
    // The browser blocks storage.
    return false
  }
}

page.dataset['deferred'] = isReturningVisitor() ? '' : 'first'
new PerformanceObserver(list => {
  if (list.getEntries().some(entry => 'url' in entry && entry.url)) startLoading()
}).observe({ type: 'largest-contentful-paint', buffered: true })
for (const type of ['scroll', 'pointerdown', 'keydown']) addEventListener(type, startLoading)
addEventListener('load', () => setTimeout(startLoading, LOAD_DELAY_MS))
setTimeout(startLoading, TIMEOUT_MS)
addEventListener('DOMContentLoaded', () => {
  // A filtered product list stays invisible until its script has run.
  if (page.dataset['query'] !== undefined) startLoading()
})
addEventListener('click', event => {
  const clicked = (event.target as Element).closest<HTMLElement>(NEEDS_SCRIPT)
  const element = clicked?.closest(':not(:defined)')
  if (!clicked || !element || !event.isTrusted) return
  event.preventDefault()
  const defined = Promise.race([
    customElements.whenDefined(element.localName),
    new Promise(resolve => setTimeout(resolve, TIMEOUT_MS))
  ])
  // In order: a shopper may set the quantity before adding to the cart.
  clicks = Promise.all([clicks, defined]).then(() => clicked.click())
})
