// @ts-check

/**
 * @typedef {import('./checkout.js').Options} Options
 *
 * @typedef {object} Actions
 * @property {() => Promise<void>} pay
 * @property {() => Promise<void>} fail
 * @property {() => void} dismiss
 *
 * @typedef {ReturnType<typeof createParts>} Parts
 *
 * @typedef {object} View
 * @property {(paise: number, currency: string) => void} showAmount
 * @property {(text: string) => void} showProgress also disables the buttons
 * @property {(text: string) => void} showError also enables the buttons
 * @property {(text: string) => void} showUnpayable also disables the buttons
 * @property {(seconds: number, end: () => void) => void} countDown
 * @property {() => void} remove
 */

const STYLES = '/* checkout.css */'
const DIALOG = `<dialog aria-labelledby="title" aria-describedby="notice">
  <header>
    <span class="logo" aria-hidden="true"></span>
    <div class="heading">
      <h2 class="title" id="title" tabindex="-1"></h2>
      <p class="description"></p>
    </div>
    <button class="close" type="button" aria-label="Close the payment window">✕</button>
    <p class="amount">…</p>
  </header>
  <div class="body">
    <p class="notice" id="notice">
      <strong>Test mode: no money moves.</strong>
      This sandbox replaces the payment provider. You choose the result of the payment.
    </p>
    <dl>
      <dt class="payer"></dt>
      <dd class="payer"></dd>
      <dt>Order</dt>
      <dd class="order"></dd>
    </dl>
    <p class="alert" role="alert"></p>
    <button class="pay" type="button">Pay</button>
    <button class="fail" type="button">Fail this payment</button>
    <p class="status" role="status"></p>
    <p class="clock"></p>
  </div>
</dialog>`
const DARK = [26, 26, 26]
const LIGHT = [255, 255, 255]

/**
 * Opens the dialog in a shadow root, so that the page's styles do not affect it.
 * @param {Options} options @param {Actions} actions @returns {View}
 */
export function createView(options, actions) {
  const parts = createParts(options)
  const { host, dialog, pay, fail, amount, alert, status, clock } = parts
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer

  /** @param {boolean} busy @param {string} text @param {string} failure */
  function setState(busy, text, failure = '') {
    status.textContent = text
    alert.textContent = failure
    alert.scrollIntoView({ block: 'nearest' })
    dialog.setAttribute('aria-busy', String(busy && !failure))
    for (const button of [pay, fail]) button.setAttribute('aria-disabled', String(busy))
  }

  addListeners(parts, options, actions)
  setState(true, 'Loading the order…')
  const closeDialog = showDialog(parts)
  applyThemeColor(dialog, options.theme?.color)

  return {
    showAmount(paise, currency) {
      const sum = new Intl.NumberFormat('en-IN', { style: 'currency', currency }).format(
        paise / 100
      )
      amount.textContent = sum
      pay.textContent = `Pay ${sum}`
      setState(false, '')
    },
    showProgress: text => setState(true, text),
    showError: failure => setState(false, '', failure),
    showUnpayable: failure => setState(true, '', failure),
    countDown(seconds, end) {
      timer = startCountdown(
        seconds,
        end,
        remaining => (clock.textContent = `Closes in ${remaining}`)
      )
    },
    remove() {
      clearInterval(timer)
      closeDialog()
      host.remove()
    }
  }
}

/** @param {Parts} parts @param {Options} options @param {Actions} actions */
function addListeners(parts, { modal }, actions) {
  const { dialog, pay, fail, close } = parts
  const isEnabled = () => pay.getAttribute('aria-disabled') === 'false'
  pay.addEventListener('click', () => isEnabled() && void actions.pay())
  fail.addEventListener('click', () => isEnabled() && void actions.fail())
  close.addEventListener('click', actions.dismiss)
  dialog.addEventListener('cancel', event => event.preventDefault())
  dialog.addEventListener('keydown', event => {
    if (event.key === 'Tab') trapFocus(event, parts)
    if (event.key !== 'Escape') return
    // Without this, browsers close a dialog at the second Escape.
    event.preventDefault()
    if (modal?.escape !== false) actions.dismiss()
  })
  dialog.addEventListener('click', event => {
    if (event.target === dialog && modal?.backdropclose) actions.dismiss()
  })
}

/** Shows the dialog over the page and returns a function that closes it. @param {Parts} parts */
function showDialog({ host, dialog, title }) {
  const { style } = document.documentElement
  const { overflow } = style
  style.overflow = 'hidden'
  document.body.append(host)
  dialog.showModal()
  title.focus()
  return () => {
    style.overflow = overflow
    dialog.close()
  }
}

/** @param {number} seconds @param {() => void} end @param {(remaining: string) => void} showTime */
function startCountdown(seconds, end, showTime) {
  const until = Date.now() + seconds * 1000
  function tick() {
    const remaining = Math.max(0, Math.ceil((until - Date.now()) / 1000))
    showTime(`${Math.floor(remaining / 60)}:${String(remaining % 60).padStart(2, '0')}`)
    if (remaining === 0) end()
  }
  tick()
  return setInterval(tick, 1000)
}

/** @param {Options} options */
function createParts({ name, description, image, prefill, order_id, modal }) {
  const host = document.createElement('div')
  host.className = 'razorpay-container'
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [sheet]
  root.innerHTML = DIALOG
  /** @param {string} selector */
  const find = selector => /** @type {HTMLElement} */ (root.querySelector(selector))

  const [title, logo] = [find('.title'), find('.logo')]
  title.textContent = name || 'Payment'
  if (image) logo.append(Object.assign(new Image(), { src: image, alt: '' }))
  else logo.textContent = (name ?? '₹')[0] ?? ''
  fillOrRemove(find('.description'), description)
  const payer = [prefill?.name, prefill?.email, prefill?.contact].filter(Boolean).join(' · ')
  fillOrRemove(find('dd.payer'), payer)
  fillOrRemove(find('dt.payer'), payer && 'Paying as')
  find('.order').textContent = order_id

  const dialog = /** @type {HTMLDialogElement} */ (find('dialog'))
  dialog.classList.toggle('animated', modal?.animation !== false)
  const [close, pay, fail] = [find('.close'), find('.pay'), find('.fail')]
  const [amount, clock, alert, status] = [
    find('.amount'),
    find('.clock'),
    find('.alert'),
    find('.status')
  ]
  return { host, root, dialog, title, close, amount, clock, alert, status, pay, fail }
}

/** @param {HTMLElement} element @param {string} [text] */
function fillOrRemove(element, text) {
  if (text) element.textContent = text
  else element.remove()
}

/** Keeps Tab inside the dialog. @param {KeyboardEvent} event @param {Parts} parts */
function trapFocus(event, { root, close, pay, fail }) {
  const buttons = [close, pay, fail]
  const current = buttons.findIndex(button => button === root.activeElement)
  const next =
    current < 0 && event.shiftKey
      ? buttons.length - 1
      : (current + (event.shiftKey ? -1 : 1) + buttons.length) % buttons.length
  event.preventDefault()
  buttons[next]?.focus()
}

/**
 * Applies the shop's colour, with white or dark text, whichever has more contrast. @param
 * {HTMLElement} dialog @param {string} [color]
 */
function applyThemeColor(dialog, color) {
  if (!color || !CSS.supports('color', color)) return
  dialog.style.setProperty('--theme', color)
  dialog.style.backgroundColor = color
  const background = (getComputedStyle(dialog).backgroundColor.match(/[\d.]+/g) ?? [])
    .slice(0, 3)
    .map(Number)
  dialog.style.backgroundColor = ''
  dialog.style.setProperty(
    '--on-theme',
    getContrast(background, LIGHT) >= getContrast(background, DARK) ? '#fff' : '#1a1a1a'
  )
}

/** @param {readonly number[]} first @param {readonly number[]} second */
function getContrast(first, second) {
  const [dark = 0, light = 0] = [getLuminance(first), getLuminance(second)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** @param {readonly number[]} color */
function getLuminance(color) {
  const [red = 0, green = 0, blue = 0] = color.map(part => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
