import type { ClientDirective } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:painted'?: boolean
  }
}

/** Hydrates an island after the main picture is painted, then replays the clicks and changes made before hydration. */
const hydrateAfterPaint: ClientDirective = (load, _options, island) => {
  const replays: (() => void)[] = []
  const record = ({ type, target }: Event): void => {
    if (!island.hasAttribute('ssr')) return
    if (type === 'click') {
      const button = (target as Element).closest('button')
      return void replays.push(() => button?.click())
    }
    const field = target as HTMLInputElement
    const { value } = field
    replays.push(() => {
      if (field.type === 'radio') return field.click()
      field.value = value
      field.dispatchEvent(new Event(type, { bubbles: true }))
    })
  }
  for (const type of ['click', 'change']) island.addEventListener(type, record)
  island.addEventListener('astro:hydrate', () => {
    for (const replay of replays) replay()
  })
  const hydrate = (): void => void load().then(hydrateIsland => hydrateIsland())
  const hydrateWhenIdle = (): unknown => ('requestIdleCallback' in window ? requestIdleCallback : setTimeout)(hydrate)
  if (document.documentElement.dataset['deferred'] === undefined) hydrateWhenIdle()
  else addEventListener('main-picture-painted', hydrateWhenIdle, { once: true })
}

export default hydrateAfterPaint
