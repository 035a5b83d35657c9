const root = document.documentElement
/** Delay after the load event, for browsers that don't report paints. */
const LOAD_DELAY_MS = 300
/** Maximum wait for the main picture to be painted, and for the script of a clicked element to load. */
const TIMEOUT_MS = 4000
/** Controls that do nothing until their script has loaded. */
const SCRIPTED_CONTROLS = '[type=button]:not([popovertarget]), a[aria-haspopup], [data-thumbnail]'

let clicks: Promise<unknown> = Promise.resolve()

function startLoading(): void {
  if (document.readyState === 'loading') return addEventListener('DOMContentLoaded', startLoading)
  if (root.dataset['deferred'] === undefined) return
  delete root.dataset['deferred']
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
    // The browser blocks storage. Treat the visitor as new.
    return false
  }
}

root.dataset['deferred'] = isReturningVisitor() ? '' : 'first'
new PerformanceObserver(list => {
  if (list.getEntries().some(entry => 'url' in entry && entry.url)) startLoading()
}).observe({ type: 'largest-contentful-paint', buffered: true })
for (const type of ['scroll', 'pointerdown', 'keydown']) addEventListener(type, startLoading)
addEventListener('load', () => setTimeout(startLoading, LOAD_DELAY_MS))
setTimeout(startLoading, TIMEOUT_MS)
addEventListener('DOMContentLoaded', () => {
  // Don't wait for the picture, because a filtered product list is invisible until its script has run.
  if (root.dataset['query'] !== undefined) startLoading()
})
addEventListener('click', event => {
  const clicked = (event.target as Element).closest<HTMLElement>(SCRIPTED_CONTROLS)
  const element = clicked?.closest(':not(:defined)')
  if (!clicked || !element || !event.isTrusted) return
  event.preventDefault()
  const elementDefined = Promise.race([
    customElements.whenDefined(element.localName),
    new Promise(resolve => setTimeout(resolve, TIMEOUT_MS))
  ])
  // Replay the clicks in order, because a shopper may set the quantity before adding to the cart.
  clicks = Promise.all([clicks, elementDefined]).then(() => clicked.click())
})
