const page = document.documentElement
/** How long after loading the page opens where the browser doesn't tell of paints, in ms. */
const AFTER_LOAD = 300
/** How long it waits at most for a picture, and a press for its script, in ms. */
const AT_MOST = 4000
/** What does nothing without its script, or something else than with it. */
const NEEDS_SCRIPT = '[type=button]:not([popovertarget]), a[aria-haspopup], [data-thumbnail]'

let presses: Promise<unknown> = Promise.resolve()

function open(): void {
  if (document.readyState === 'loading') return addEventListener('DOMContentLoaded', open)
  if (page.dataset['opening'] === undefined) return
  delete page.dataset['opening']
  for (const late of document.querySelectorAll<HTMLTemplateElement>('template[data-late]')) {
    late.replaceWith(late.content)
  }
  dispatchEvent(new Event('opened'))
}

function isKnownVisitor(): boolean {
  try {
    const visited = 'visited' in localStorage
    localStorage['visited'] = ''
    return visited
  } catch {
    // A browser that keeps nothing is always new here.
    return false
  }
}

page.dataset['opening'] = isKnownVisitor() ? '' : 'first'
new PerformanceObserver(list => {
  if (list.getEntries().some(entry => 'url' in entry && entry.url)) open()
}).observe({ type: 'largest-contentful-paint', buffered: true })
for (const act of ['scroll', 'pointerdown', 'keydown']) addEventListener(act, open)
addEventListener('load', () => setTimeout(open, AFTER_LOAD))
setTimeout(open, AT_MOST)
addEventListener('DOMContentLoaded', () => {
  // The list of an address that filters it is not to be seen before its script has come.
  if (page.dataset['query'] !== undefined) open()
})
addEventListener('click', event => {
  const pressed = (event.target as Element).closest<HTMLElement>(NEEDS_SCRIPT)
  const owner = pressed?.closest(':not(:defined)')
  if (!pressed || !owner || !event.isTrusted) return
  event.preventDefault()
  const alive = Promise.race([
    customElements.whenDefined(owner.localName),
    new Promise(resolve => setTimeout(resolve, AT_MOST))
  ])
  // One after another, since a number may be chosen before it is put in the cart.
  presses = Promise.all([presses, alive]).then(() => pressed.click())
})
