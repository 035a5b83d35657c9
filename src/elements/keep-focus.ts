const CONTROLS = 'a[href], button:enabled, input:enabled, select, textarea, summary'

interface Place {
  element: Element
  /** Where it stands among the controls of each element around it. */
  path: { parent: Element; index: number }[]
  previous: HTMLElement | null
}

let place: Place | undefined

/** If the focused element is removed, its neighbour gets the focus, else the one before. */
function keepFocus() {
  const lost = place
  if (!lost || lost.element.isConnected || document.activeElement !== document.body) return
  place = undefined
  const neighbours = lost.path.flatMap(({ parent, index }) => {
    const controls = parent.isConnected ? listControls(parent) : []
    return [...controls.slice(index), ...controls.slice(0, index).toReversed()]
  })
  const next = neighbours.find(control => control.checkVisibility())
  ;(next ?? lost.previous)?.focus()
}

function listControls(parent: Element) {
  return [...parent.querySelectorAll<HTMLElement>(CONTROLS)]
}

document.addEventListener('focusin', ({ target, relatedTarget }) => {
  const element = target as Element
  const path: Place['path'] = []
  // Around it, another view replaces the whole content and moves the focus itself.
  for (
    let parent = element.parentElement;
    parent && !parent.matches('astro-island, main, body');
    parent = parent.parentElement
  )
    path.push({ parent, index: listControls(parent).indexOf(element as HTMLElement) })
  place = { element, path, previous: relatedTarget as HTMLElement | null }
})
document.addEventListener('focusout', ({ target }) =>
  // Some browsers tell of removed elements, too.
  setTimeout(() => {
    if (place?.element === target && place.element.isConnected) place = undefined
  })
)
new MutationObserver(() => place?.element.isConnected === false && setTimeout(keepFocus)).observe(
  document,
  { childList: true, subtree: true }
)
