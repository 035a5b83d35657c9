import { $toasts, dismiss, type Toast } from '#lib/stores/toasts.ts'

class ToastRegion extends HTMLElement {
  #shown = new Map<number, HTMLElement>()

  connectedCallback(): void {
    $toasts.subscribe(toasts => this.#show(toasts))
    document.addEventListener('keydown', ({ key }) => {
      const newest = [...this.#shown.keys()].at(-1)
      if (key === 'Escape' && newest !== undefined) dismiss(newest)
    })
  }

  // Keeps the elements of toasts that are already shown, because a screen reader would announce a new element again.
  #show(toasts: readonly Toast[]): void {
    for (const [id, element] of this.#shown) {
      if (toasts.some(toast => toast.id === id)) continue
      element.remove()
      this.#shown.delete(id)
    }
    for (const toast of toasts) {
      if (!this.#shown.has(toast.id)) this.#add(toast)
    }
  }

  #add({ id, title, text, kind }: Toast): void {
    const copy = this.querySelector('template')?.content.cloneNode(true) as DocumentFragment | undefined
    const element = copy?.querySelector<HTMLElement>('[data-kind]')
    if (!copy || !element) return
    element.dataset['kind'] = kind
    element.role = kind === 'destructive' ? 'alert' : 'status'
    const [heading, body] = element.querySelectorAll('p')
    if (heading) heading.textContent = title
    if (body) body.textContent = text ?? ''
    element.querySelector('button')?.addEventListener('click', () => dismiss(id))
    this.#shown.set(id, element)
    this.append(copy)
  }
}

customElements.define('toast-region', ToastRegion)
