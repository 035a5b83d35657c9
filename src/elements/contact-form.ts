import { api } from '#lib/api.ts'
import type { FieldErrors } from '#lib/errors.ts'
import { ShopError } from '#lib/shop-error.ts'
import { MESSAGES } from '#lib/messages.ts'
import { notify } from '#lib/stores/toasts.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

const DRAFT = 'contact-draft'
/** What the toasts are about: that a message was sent takes away that it had failed. */
const CONTACT = 'contact'

/**
 * `<contact-form>` around the form, a summary of what is wrong (`data-summary`) and a template of the thanks. It accuses
 * nobody while typing: fields are checked on submit, and one that was wrong again at each keystroke until it is right.
 * The words come from each field's `data-required` and `data-invalid`.
 */
class ContactForm extends HTMLElement {
  #form = this.querySelector('form')
  #fields: Field[] = [...this.querySelectorAll<Field>('[data-required]')]

  connectedCallback(): void {
    const form = this.#form
    if (!form) return
    form.noValidate = true
    this.#restore()
    form.addEventListener('input', ({ target }) => {
      const field = target as Field
      if (field.ariaInvalid === 'true') this.#say(field, problemOf(field))
      const values = this.#fields.map(({ name, value }) => [name, value])
      keep(JSON.stringify(Object.fromEntries(values)))
    })
    form.addEventListener('submit', event => {
      event.preventDefault()
      const wrong = this.#fields.filter(field => this.#say(field, problemOf(field)))
      this.#summarise(wrong)
      if (wrong.length === 0) void this.#send(form)
    })
  }

  async #send(form: HTMLFormElement): Promise<void> {
    const button = form.querySelector<HTMLButtonElement>('[type="submit"]')
    if (button?.ariaDisabled === 'true') return
    if (button) button.ariaDisabled = 'true'
    const { name = '', email = '', message = '', website = '' } = Object.fromEntries(new FormData(form)) as FieldErrors
    try {
      this.#thank(await api('POST /contact', { body: { name, email, message, website } }))
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      const { fields } = error
      const wrong = this.#fields.filter(field => this.#say(field, fields?.[field.name] ?? ''))
      this.#summarise(wrong)
      if (wrong.length > 0) return
      notify({ title: MESSAGES.contactFailed, text: error.message, kind: 'destructive', about: CONTACT })
    } finally {
      if (button) button.ariaDisabled = null
    }
  }

  #thank({ reference }: { reference: string }): void {
    keep(null)
    const thanks = this.querySelector('template')?.content.cloneNode(true) as DocumentFragment
    const place = thanks.querySelector('[data-reference]')
    if (place) place.textContent = reference
    const heading = thanks.querySelector('h2')
    this.replaceChildren(thanks)
    heading?.focus()
    notify({ title: MESSAGES.contactSent, text: MESSAGES.contactSentText, about: CONTACT })
  }

  /** Shows or clears what is wrong with a field, and answers whether something is. */
  #say(field: Field, problem: string): boolean {
    const place = document.getElementById(`${field.id}-error`)
    if (place) place.textContent = problem
    field.ariaInvalid = problem ? 'true' : null
    return problem !== ''
  }

  #summarise(wrong: readonly Field[]): void {
    const summary = this.querySelector<HTMLElement>('[data-summary]')
    const list = summary?.querySelector('ul')
    if (!summary || !list) return
    list.replaceChildren(...wrong.map(linkTo))
    summary.hidden = wrong.length < 2
    if (wrong.length > 1) summary.focus()
    else wrong[0]?.focus()
  }

  #restore(): void {
    const draft = read()
    for (const field of this.#fields) field.value ||= draft[field.name] ?? ''
  }
}

function problemOf(field: Field): string {
  const { required = '', invalid = '' } = field.dataset
  if (field.value.trim() === '') return required
  return field.validity.valid ? '' : invalid || field.validationMessage
}

function linkTo(field: Field): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = `#${field.id}`
  link.textContent = document.getElementById(`${field.id}-error`)?.textContent ?? ''
  link.addEventListener('click', event => {
    event.preventDefault()
    field.focus()
  })
  item.append(link)
  return item
}

// A browser that keeps nothing for this site only loses the draft.
function keep(draft: string | null): void {
  try {
    if (draft === null) sessionStorage.removeItem(DRAFT)
    else sessionStorage.setItem(DRAFT, draft)
  } catch {
    return
  }
}

function read(): Record<string, string | undefined> {
  try {
    return JSON.parse(sessionStorage.getItem(DRAFT) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

customElements.define('contact-form', ContactForm)
