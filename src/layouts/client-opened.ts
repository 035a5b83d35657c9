import type { ClientDirective } from 'astro'

declare module 'astro' {
  interface AstroClientDirectives {
    'client:opened'?: boolean
  }
}

/**
 * Hydrates an island once its page has opened, and has drawn what came with that. What was pressed or chosen in it
 * before is done again when it is alive.
 */
const whenOpened: ClientDirective = (load, _options, island) => {
  const acts: (() => void)[] = []
  const keep = ({ type, target }: Event): void => {
    if (!island.hasAttribute('ssr')) return
    if (type === 'click') {
      const button = (target as Element).closest('button')
      return void acts.push(() => button?.click())
    }
    const field = target as HTMLInputElement
    const { value } = field
    acts.push(() => {
      if (field.type === 'radio') return field.click()
      field.value = value
      field.dispatchEvent(new Event(type, { bubbles: true }))
    })
  }
  for (const type of ['click', 'change']) island.addEventListener(type, keep)
  island.addEventListener('astro:hydrate', () => {
    for (const act of acts) act()
  })
  const hydrate = (): void => void load().then(run => run())
  const soon = (): unknown => ('requestIdleCallback' in window ? requestIdleCallback : setTimeout)(hydrate)
  if (document.documentElement.dataset['opening'] === undefined) soon()
  else addEventListener('opened', soon, { once: true })
}

export default whenOpened
