import { readStored, writeStored } from '#lib/stores/storage.ts'
import { PINCODE } from '#lib/constants.ts'
import { askDelivery, describePlace } from '#lib/delivery/place.ts'
import { t } from '#lib/contract/texts.ts'
import { assertShopError } from '#lib/errors.ts'
import { formatShortDay } from '#lib/time.ts'
import { showWaiting } from './still-waiting.ts'
import { FIELD_TEXTS, toDigits } from '#lib/contract/formats.ts'

/** `<pincode-box data-items="mysore-pak:1">`. The answer replaces the form. */
class PincodeBox extends HTMLElement {
  connectedCallback() {
    const [form, field] = [this.querySelector('form'), this.querySelector('input')]
    const status = this.querySelector('[role=status]')
    const [check, change] = this.querySelectorAll('button')
    if (!form || !field || !status || !check || !change) return

    let lastCall = 0
    let stopWaiting = (): void => undefined
    const sentence = document.querySelector('delivery-date')
    const earliest = sentence?.textContent ?? ''
    const show = (text: string, isAnswer = false) => {
      const hadFocus = this.contains(document.activeElement)
      status.textContent = text
      form.hidden = isAnswer
      change.hidden = !isAnswer
      if (hadFocus && isAnswer) change.focus()
    }
    const ask = async () => {
      const pincode = toDigits(field.value)
      const isValid = PINCODE.test(pincode)
      const call = ++lastCall
      field.ariaInvalid = String(!isValid)
      stopWaiting()
      if (!isValid) return show(FIELD_TEXTS.pincodeInvalid)
      show(t('Checking…'))
      stopWaiting = showWaiting(status)
      try {
        const reply = await askDelivery(pincode, this.dataset['items'] ?? '')
        if (call !== lastCall) return
        writeStored('pincode', pincode)
        const shown = document.querySelector('[data-pincode]')
        if (shown) shown.textContent = pincode
        show(describePlace(reply), true)
        const { firstDay } = reply.delivery ?? {}
        if (sentence) sentence.textContent = firstDay ? formatShortDay(firstDay) : earliest
      } catch (error) {
        const { message } = assertShopError(error)
        if (call === lastCall) show(message)
      } finally {
        if (call === lastCall) stopWaiting()
      }
    }

    form.addEventListener('submit', event => {
      event.preventDefault()
      void ask()
    })
    change.addEventListener('click', () => {
      show('')
      field.focus()
      field.select()
    })
    check.disabled = false
    const stored = readStored('pincode')
    if (field.value === '' && PINCODE.test(String(stored))) field.value = String(stored)
    // A shopper may have typed a pincode while this script was loading.
    if (PINCODE.test(toDigits(field.value))) void ask()
  }
}

customElements.define('pincode-box', PincodeBox)
