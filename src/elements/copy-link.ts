import { t } from '#lib/contract/texts.ts'
import { notify } from '#lib/stores/toasts.ts'

/** For browsers that can't share. Shows the address where they can't copy it either. */
export async function copyLink(button: Element, url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    notify({ title: t('Link copied') })
  } catch {
    // Without HTTPS, or if the visitor refuses. Some pages have it on a dark ground.
    const className = 'field max-w-xs text-ink'
    const facts = { value: url, readOnly: true, ariaLabel: t('Link'), className }
    const field = Object.assign(document.createElement('input'), facts)
    field.addEventListener('focus', () => field.select())
    button.replaceWith(field)
    field.focus()
  }
}
