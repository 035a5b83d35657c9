const STYLES = `dialog {
    --theme: #3b2a20; --ink: #2a1810; --muted: #5c4a40;
    width: min(400px, calc(100vw - 32px)); max-height: calc(100dvh - 32px);
    margin: auto; padding: 0; border: 0; border-radius: 20px; background: #fff; color: var(--ink);
    font: 16px/1.5 system-ui, 'Noto Sans Tamil', sans-serif; text-align: left;
  }
  dialog::backdrop { background: rgb(42 24 16 / 55%) }
  * { box-sizing: border-box }
  h2, p, dl, dd { margin: 0; overflow-wrap: anywhere }
  .head {
    display: grid; grid-template-columns: auto 1fr auto; align-items: center; gap: 4px 12px;
    padding: 12px 8px 20px 20px; background: var(--theme); color: #fff;
  }
  .logo {
    display: grid; place-content: center; width: 44px; height: 44px; border-radius: 12px;
    background: #fff; color: var(--ink); font-size: 22px; font-weight: 700;
  }
  .title { font-size: 18px; outline: none }
  .amount { grid-column: 1 / -1; font-size: 30px; font-weight: 700 }
  button {
    min-height: 48px; padding: 8px 20px; border: 2px solid transparent; border-radius: 999px;
    background: none; color: inherit; font: inherit; font-weight: 600; cursor: pointer;
  }
  button:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px }
  .close { width: 48px; padding: 0 }
  .close:focus-visible { outline-color: #fff; outline-offset: -6px }
  .body { display: grid; gap: 12px; padding: 20px }
  .notice, .alert:not(:empty) {
    padding: 12px 16px; border-left: 4px solid #b8862f; border-radius: 8px; background: #fff3d6;
  }
  .alert:not(:empty) { border-color: #9b2c1f; background: #fdeae6 }
  dt, .status, .clock { color: var(--muted); font-size: 14px }
  .status, .clock { text-align: center }
  .pay { background: var(--theme); color: #fff }
  .fail { border-color: #8d7a6c }
  button[aria-disabled='true'] { cursor: default; filter: grayscale(1) }
  @media (max-width: 480px) {
    dialog { width: 100%; max-width: 100%; margin: auto 0 0; border-radius: 20px 20px 0 0 }
  }
  @media (forced-colors: active) { button, dialog { border: 2px solid } }`
const DIALOG = `<dialog aria-labelledby="title" aria-describedby="notice">
  <div class="head">
    <span class="logo" aria-hidden="true"></span>
    <h2 class="title" id="title" tabindex="-1"></h2>
    <button class="close" type="button" aria-label="Close the payment window">✕</button>
    <p class="amount">…</p>
  </div>
  <div class="body">
    <p class="notice" id="notice">
      <strong>Test mode: no money moves.</strong>
      This sandbox replaces the payment provider. You choose the result of the payment.
    </p>
    <dl>
      <dt>Paying as</dt>
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
const API = document.currentScript.src.replace(/[^/]*$/, '')
const UNREACHABLE = 'The sandbox can’t be reached. Please try again.'

class Razorpay {
  #listeners = []
  #options
  #host
  #timer

  constructor(options) {
    if (!options?.key) throw new Error('No key passed')
    this.#options = options
  }

  on(event, listener) {
    if (event === 'payment.failed') this.#listeners.push(listener)
    return this
  }

  open() {
    if (this.#host) return
    const { name, prefill = {}, order_id, theme, timeout } = this.#options
    // The page's styles don't reach into a shadow root.
    this.#host = Object.assign(document.createElement('div'), { className: 'razorpay-container' })
    const root = this.#host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLES)
    root.adoptedStyleSheets = [sheet]
    root.innerHTML = DIALOG
    this.#show('.title', name || 'Payment')
    this.#show('.logo', (name ?? '₹')[0])
    const payer = [prefill.name, prefill.email, prefill.contact].filter(Boolean).join(' · ')
    this.#show('.payer', payer || '–')
    this.#show('.order', order_id)
    this.#find('.pay').addEventListener('click', () => void this.#attempt('paid'))
    this.#find('.fail').addEventListener('click', () => void this.#attempt('failed'))
    this.#find('.close').addEventListener('click', () => this.#dismiss())
    const dialog = this.#find('dialog')
    dialog.addEventListener('cancel', event => event.preventDefault())
    dialog.addEventListener('keydown', event => {
      if (event.key === 'Tab') this.#moveFocus(event)
      if (event.key !== 'Escape') return
      // Without this, browsers close a dialog at the second Escape.
      event.preventDefault()
      this.#dismiss()
    })
    if (theme?.color) dialog.style.setProperty('--theme', theme.color)
    this.#setState(true, 'Loading the order…')
    document.body.append(this.#host)
    dialog.showModal()
    this.#find('.title').focus()
    if (timeout) this.#countDown(Date.now() + timeout * 1000)
    void this.#readOrder()
  }

  close() {
    clearInterval(this.#timer)
    this.#find('dialog')?.close()
    this.#host?.remove()
    this.#host = undefined
  }

  #find(selector) {
    return this.#host?.shadowRoot.querySelector(selector)
  }

  #show(selector, text) {
    this.#find(selector).textContent = text
  }

  #setState(isBusy, status, failure = '') {
    this.#show('.status', status)
    this.#show('.alert', failure)
    this.#find('.alert').scrollIntoView({ block: 'nearest' })
    for (const name of ['.pay', '.fail']) this.#find(name).setAttribute('aria-disabled', isBusy)
  }

  #dismiss() {
    if (!this.#host) return
    this.close()
    this.#options.modal?.ondismiss?.()
  }

  #countDown(until) {
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000))
      const rest = String(seconds % 60).padStart(2, '0')
      this.#show('.clock', `Closes in ${Math.floor(seconds / 60)}:${rest}`)
      if (seconds === 0) this.#dismiss()
    }
    tick()
    this.#timer = setInterval(tick, 1000)
  }

  #moveFocus(event) {
    event.preventDefault()
    const buttons = ['.close', '.pay', '.fail'].map(name => this.#find(name))
    const current = buttons.indexOf(this.#host.shadowRoot.activeElement)
    const next = event.shiftKey ? Math.max(current, 0) - 1 : current + 1
    buttons.at(next % buttons.length).focus()
  }

  async #readOrder() {
    const { key, order_id } = this.#options
    const query = new URLSearchParams({ key_id: key, order_id })
    const { order, error } = await call(`preferences?${query}`)
    if (!this.#host) return
    if (error) return this.#setState(true, '', error.description ?? UNREACHABLE)
    if (order.status === 'paid') return this.#setState(true, '', 'This order is already paid.')
    const format = new Intl.NumberFormat('en-IN', { style: 'currency', currency: order.currency })
    const sum = format.format(order.amount / 100)
    this.#show('.amount', sum)
    this.#show('.pay', `Pay ${sum}`)
    this.#setState(false, '')
  }

  async #attempt(outcome) {
    if (this.#find('.pay').getAttribute('aria-disabled') === 'true') return
    const { key, order_id, prefill } = this.#options
    this.#setState(true, outcome === 'paid' ? 'Processing payment…' : 'Failing the payment…')
    const { email, contact } = prefill ?? {}
    const values = { key_id: key, order_id, outcome, email, contact }
    const fields = Object.entries(values).filter(([, value]) => value)
    const { error, ...response } = await call('payments/create/ajax', new URLSearchParams(fields))
    if (!this.#host) return
    if (error) this.#handleFailure(error)
    else this.#handleSuccess(response)
  }

  #handleSuccess(response) {
    const { handler, redirect, callback_url } = this.#options
    this.close()
    if (redirect) post(callback_url, response)
    else handler(response)
  }

  #handleFailure(error) {
    this.#setState(false, '', error.description ?? UNREACHABLE)
    // Without a code, the request did not reach the sandbox.
    if (!error.code) return
    for (const listener of this.#listeners) listener({ error })
    const { redirect, callback_url } = this.#options
    if (!redirect) return
    const { metadata, ...details } = error
    const fields = Object.entries(details).map(([name, value]) => [`error[${name}]`, value])
    fields.push(['error[metadata]', JSON.stringify(metadata)])
    post(callback_url, Object.fromEntries(fields))
  }
}

async function call(path, form) {
  try {
    return await (await fetch(API + path, form ? { method: 'POST', body: form } : {})).json()
  } catch {
    return { error: {} }
  }
}

function post(action, fields) {
  const form = document.createElement('form')
  Object.assign(form, { method: 'post', action, hidden: true })
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  document.body.append(form)
  form.submit()
}

Object.assign(window, { Razorpay })
