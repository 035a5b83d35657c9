import { cleanField } from '#lib/account/clean-field.ts'
import { api, type Api } from '#lib/api.ts'
import { setText } from '#lib/browser.ts'
import { toOneLine } from '#lib/contract/formats.ts'
import { t } from '#lib/contract/texts.ts'
import { readDraft, saveDraft } from '#lib/stores/storage.ts'
import { ShopError } from '#lib/errors.ts'
import { emailSuggestionText } from '#lib/messages.ts'
import { notify } from '#lib/stores/toasts.ts'
import { SLOW_CALL_DELAY } from '#lib/time.ts'

type Field = HTMLInputElement | HTMLTextAreaElement

const TOAST_TOPIC = 'contact'

class ContactForm extends HTMLElement {
  #fields: Field[] = [...this.querySelectorAll<Field>('.field')]

  connectedCallback() {
    const form = this.querySelector('form')
    if (!form) return
    form.noValidate = true
    this.#restore()
    form.addEventListener('input', ({ target }) => {
      const field = target as Field
      if (field.ariaInvalid === 'true') this.#showError(field, findError(field))
      saveDraft('contact-draft', Object.fromEntries(new FormData(form)))
    })
    form.addEventListener('change', ({ target }) => cleanField(target))
    this.#suggestEmail(form)
    form.addEventListener('submit', event => {
      event.preventDefault()
      this.#fields.forEach(cleanField)
      if (!this.#showErrors(findError)) void this.#send(form)
    })
  }

  #suggestEmail(form: HTMLFormElement) {
    const field = form.querySelector<HTMLInputElement>('[type="email"]')
    const button = form.querySelector<HTMLButtonElement>('[data-suggestion]')
    if (!field || !button) return
    let email: string | undefined
    const update = async () => {
      const { suggestEmail } = await import('#lib/account/forms.ts')
      email = suggestEmail(field.value)
      button.hidden = email === undefined
      button.textContent = emailSuggestionText(email ?? '')
    }
    field.addEventListener('change', () => void update())
    button.addEventListener('click', () => {
      field.value = email ?? field.value
      field.dispatchEvent(new Event('input', { bubbles: true }))
      button.hidden = true
      field.focus()
    })
  }

  async #send(form: HTMLFormElement) {
    const button = form.querySelector<HTMLButtonElement>('[type="submit"]')
    if (button?.ariaDisabled === 'true') return
    if (button) button.ariaDisabled = 'true'
    const body = Object.fromEntries(new FormData(form)) as Api['POST /contact']['body']
    // Without "Try again", because the shop could get the message twice.
    const status = this.querySelector<HTMLElement>('[data-waiting]')
    const timer = setTimeout(() => status?.append(status.dataset['waiting'] ?? ''), SLOW_CALL_DELAY)
    try {
      const { message, reference } = await api('POST /contact', { body })
      this.#showThanks(reference, body.email, message)
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      const { fields } = error
      if (this.#showErrors(field => fields?.[field.name] ?? '')) return
      notify({
        title: t('Failed to send message.'),
        text: error.message,
        kind: 'destructive',
        topic: TOAST_TOPIC
      })
    } finally {
      clearTimeout(timer)
      status?.replaceChildren()
      if (button) button.ariaDisabled = null
    }
  }

  #showThanks(reference: string, email: string, text: string) {
    saveDraft('contact-draft', undefined)
    const thanks = this.querySelector('template')?.content.cloneNode(true) as DocumentFragment
    setText(thanks, '[data-reference]', reference)
    setText(thanks, '[data-email]', email)
    const heading = thanks.querySelector('h2')
    this.replaceChildren(thanks)
    heading?.focus()
    notify({ title: heading?.textContent ?? '', text, topic: TOAST_TOPIC })
  }

  #showError(field: Field, error: string) {
    const target = document.getElementById(`${field.id}-error`)
    if (target) target.textContent = error
    field.ariaInvalid = error ? 'true' : null
    return error !== ''
  }

  /** Returns false if no field has an error. */
  #showErrors(toError: (field: Field) => string) {
    const invalid = this.#fields.filter(field => this.#showError(field, toError(field)))
    const summary = this.querySelector<HTMLElement>('[data-summary]')
    summary?.querySelector('ul')?.replaceChildren(...invalid.map(createLink))
    summary?.toggleAttribute('hidden', invalid.length < 2)
    if (invalid.length > 1) summary?.focus()
    else invalid[0]?.focus()
    return invalid.length > 0
  }

  #restore() {
    const draft = readDraft<Record<string, string>>('contact-draft')
    for (const field of this.#fields) field.value ||= String(draft?.[field.name] ?? '')
  }
}

function findError(field: Field) {
  const { required = '', invalid = '' } = field.dataset
  if (toOneLine(field.value) === '') return required
  return field.validity.valid ? '' : invalid || field.validationMessage
}

function createLink(field: Field): HTMLLIElement {
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

customElements.define('contact-form', ContactForm)

/** Loads the map only after a tap, to protect the visitor's privacy. */
class MapOnTap extends HTMLElement {
  connectedCallback() {
    const button = this.querySelector('button')
    button?.addEventListener('click', () => {
      const frame = document.createElement('iframe')
      frame.src = this.dataset['src'] ?? ''
      frame.title = button.dataset['title'] ?? ''
      frame.tabIndex = 0
      frame.className = 'h-full w-full'
      button.replaceWith(frame)
      frame.focus()
    })
  }
}

customElements.define('map-on-tap', MapOnTap)
