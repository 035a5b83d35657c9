// @ts-check

/**
 * @typedef {import('./checkout.js').Options} Options
 *
 * @typedef {object} Actions
 * @property {() => void} pay
 * @property {() => void} fail
 * @property {() => void} dismiss
 *
 * @typedef {ReturnType<typeof createParts>} Parts
 *
 * @typedef {object} View
 * @property {(paise: number, currency: string) => void} showAmount
 * @property {(text: string) => void} work shows progress and disables the buttons
 * @property {(text: string) => void} rest shows an error and enables the buttons
 * @property {(text: string) => void} refuse shows why the order can't be paid
 * @property {(seconds: number, end: () => void) => void} countDown
 * @property {() => void} remove
 */

const STYLES = '/* checkout.css */'
const DARK = [26, 26, 26]
const LIGHT = [255, 255, 255]

/**
 * Opens the dialog in a shadow root, apart from the page's styles.
 * @param {Options} options @param {Actions} actions @returns {View}
 */
export function createView(options, actions) {
  const parts = createParts(options)
  const { host, dialog, pay, fail, amount, alert, status, clock } = parts
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer

  /** @param {boolean} busy @param {string} text @param {string} failure */
  function show(busy, text, failure = '') {
    status.textContent = text
    alert.textContent = failure
    alert.scrollIntoView({ block: 'nearest' })
    dialog.setAttribute('aria-busy', String(busy && !failure))
    for (const button of [pay, fail]) button.setAttribute('aria-disabled', String(busy))
  }

  listen(parts, options, actions)
  show(true, 'Loading the order…')
  const closeDialog = showDialog(parts)
  colour(dialog, options.theme?.color)

  return {
    showAmount(paise, currency) {
      const sum = new Intl.NumberFormat('en-IN', { style: 'currency', currency }).format(paise / 100)
      amount.textContent = sum
      pay.textContent = `Pay ${sum}`
      show(false, '')
    },
    work: text => show(true, text),
    rest: failure => show(false, '', failure),
    refuse: failure => show(true, '', failure),
    countDown(seconds, end) {
      timer = every(seconds, end, left => (clock.textContent = `Closes in ${left}`))
    },
    remove() {
      clearInterval(timer)
      closeDialog()
      host.remove()
    }
  }
}

/** @param {Parts} parts @param {Options} options @param {Actions} actions */
function listen(parts, { modal }, actions) {
  const { dialog, pay, fail, close } = parts
  const isEnabled = () => pay.getAttribute('aria-disabled') === 'false'
  pay.addEventListener('click', () => isEnabled() && actions.pay())
  fail.addEventListener('click', () => isEnabled() && actions.fail())
  close.addEventListener('click', actions.dismiss)
  dialog.addEventListener('cancel', event => event.preventDefault())
  dialog.addEventListener('keydown', event => {
    if (event.key === 'Tab') trapFocus(event, parts)
    if (event.key !== 'Escape') return
    // Otherwise a second Escape closes the dialog regardless of this handler.
    event.preventDefault()
    if (modal?.escape !== false) actions.dismiss()
  })
  dialog.addEventListener('click', event => {
    if (event.target === dialog && modal?.backdropclose) actions.dismiss()
  })
}

/** Shows the dialog over the page; returns a function that removes it. @param {Parts} parts */
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

/** @param {number} seconds @param {() => void} end @param {(left: string) => void} tell */
function every(seconds, end, tell) {
  const until = Date.now() + seconds * 1000
  function tick() {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1000))
    tell(`${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`)
    if (left === 0) end()
  }
  tick()
  return setInterval(tick, 1000)
}

/** @param {Options} options */
function createParts({ name, description, image, prefill, order_id, modal }) {
  const host = element('div', 'razorpay-container')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(STYLES)
  root.adoptedStyleSheets = [sheet]

  const title = Object.assign(element('h2', 'title', name || 'Payment'), { id: 'title', tabIndex: -1 })
  const close = button('close', '✕', 'Close the payment window')
  const amount = element('p', 'amount', '…')
  const clock = element('p', 'clock')
  const heading = element('div', 'heading', title, description ? element('p', 'about', description) : '')
  const header = element('header', '', mark(image, name), heading, close, amount)

  const notice = element(
    'p',
    'notice',
    element('strong', '', 'Test mode: no money moves.'),
    ' This sandbox replaces the payment provider. You choose the result of the payment.'
  )
  notice.id = 'notice'
  const who = [prefill?.name, prefill?.email, prefill?.contact].filter(Boolean).join(' · ')
  const facts = element('dl', '', ...(who ? fact('Paying as', who) : []), ...fact('Order', order_id))
  const alert = element('p', 'alert')
  alert.setAttribute('role', 'alert')
  const status = element('p', 'status')
  status.setAttribute('role', 'status')
  const [pay, fail] = [button('pay', 'Pay'), button('fail', 'Fail this payment')]
  const body = element('div', 'body', notice, facts, alert, pay, fail, status, clock)

  const dialog = document.createElement('dialog')
  dialog.className = modal?.animation === false ? '' : 'moving'
  dialog.setAttribute('aria-labelledby', 'title')
  dialog.setAttribute('aria-describedby', 'notice')
  dialog.append(element('div', 'window', header, body))
  root.append(dialog)
  return { host, root, dialog, title, close, amount, clock, alert, status, pay, fail }
}

/** @param {string} [image] @param {string} [name] */
function mark(image, name) {
  const letter = element(
    'span',
    'mark',
    image ? Object.assign(new Image(), { src: image, alt: '' }) : ((name ?? '₹')[0] ?? '')
  )
  letter.setAttribute('aria-hidden', 'true')
  return letter
}

/** @param {string} name @param {string} value */
function fact(name, value) {
  return [element('dt', '', name), element('dd', '', value)]
}

/** @param {string} className @param {string} text @param {string} [label] */
function button(className, text, label) {
  const node = Object.assign(document.createElement('button'), { type: 'button', className, textContent: text })
  if (label) node.setAttribute('aria-label', label)
  return node
}

/** @param {string} tag @param {string} className @param {(Node | string)[]} content */
function element(tag, className, ...content) {
  const node = document.createElement(tag)
  if (className) node.className = className
  node.append(...content)
  return node
}

/** Keeps Tab inside the dialog. @param {KeyboardEvent} event @param {Parts} parts */
function trapFocus(event, { root, close, pay, fail }) {
  const stops = [close, pay, fail]
  const at = stops.findIndex(stop => stop === root.activeElement)
  const next =
    at < 0 && event.shiftKey ? stops.length - 1 : (at + (event.shiftKey ? -1 : 1) + stops.length) % stops.length
  event.preventDefault()
  stops[next]?.focus()
}

/** Uses the shop's colour with the text colour that has more contrast. @param {HTMLElement} dialog @param {string} [color] */
function colour(dialog, color) {
  if (!color || !CSS.supports('color', color)) return
  dialog.style.setProperty('--theme', color)
  dialog.style.backgroundColor = color
  const shown = (getComputedStyle(dialog).backgroundColor.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
  dialog.style.backgroundColor = ''
  dialog.style.setProperty('--on-theme', contrast(shown, LIGHT) >= contrast(shown, DARK) ? '#fff' : '#1a1a1a')
}

/** @param {readonly number[]} one @param {readonly number[]} other */
function contrast(one, other) {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** @param {readonly number[]} color */
function luminance(color) {
  const [red = 0, green = 0, blue = 0] = color.map(part => {
    const share = part / 255
    return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
