import { t } from '#lib/contract/texts.ts'
import { notify } from '#lib/stores/toasts.ts'

/** For browsers that can't share. Shows the address where they can't copy it either. */
export async function copyLink(button: Element, url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    notify({ title: t('Link copied') })
  } catch {
    // Without HTTPS, or if the visitor refuses.
    const field = createField(url)
    button.replaceWith(field)
    field.focus()
  }
}

function createField(url: string): HTMLInputElement {
  const field = document.createElement('input')
  field.value = url
  field.readOnly = true
  field.setAttribute('aria-label', t('Link'))
  // Some pages have it on a dark ground.
  field.className = 'field max-w-xs text-ink'
  field.addEventListener('focus', () => field.select())
  return field
}
