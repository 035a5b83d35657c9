const page = document.documentElement
/** How long after loading the page opens where the browser doesn't tell of paints, in ms. */
const AFTER_LOAD = 300
/** How long it waits at most, for a picture that does not come, in ms. */
const AT_MOST = 4000

const pressed: HTMLElement[] = []
let scriptsToCome = 1

function open(): void {
  if (page.dataset['opening'] === undefined || document.readyState === 'loading') return
  delete page.dataset['opening']
  for (const late of document.querySelectorAll<HTMLTemplateElement>('template[data-late]')) {
    const script = late.content.firstElementChild as HTMLScriptElement
    scriptsToCome++
    script.onload = scriptCame
    late.replaceWith(script)
  }
  for (const island of document.querySelectorAll('astro-island[client=opened]')) {
    scriptsToCome++
    island.addEventListener('astro:hydrate', scriptCame)
  }
  dispatchEvent(new Event('opened'))
  scriptCame()
}

function scriptCame(): void {
  if (--scriptsToCome === 0) for (const button of pressed) button.click()
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
addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLElement>('[type=button]:not([popovertarget])')
  if (scriptsToCome > 0 && button) pressed.push(button)
})
