import { suggestEmail } from '#lib/account/email-typos.ts'
import { emailSuggestionText } from '#lib/messages.ts'

/** Offers a correction if the domain of the typed address looks mistyped. */
export function offerCorrection(field: HTMLInputElement, button: HTMLButtonElement): void {
  const email = suggestEmail(field.value)
  button.hidden = email === undefined
  if (email === undefined) return
  button.textContent = emailSuggestionText(email)
  button.onclick = () => {
    field.value = email
    field.dispatchEvent(new Event('input', { bubbles: true }))
    button.hidden = true
    field.focus()
  }
}
