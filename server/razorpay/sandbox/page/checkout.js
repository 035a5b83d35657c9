// @ts-check
import { createView } from './view.js'

// Replaces Razorpay's checkout.js in the sandbox. view.js and this file are served as one classic
// script.

/**
 * @typedef {object} Options
 * @property {string} key
 * @property {string} order_id
 * @property {number} [amount] in paise
 * @property {string} [currency]
 * @property {string} [name] name of the shop
 * @property {string} [description]
 * @property {string} [image]
 * @property {{ name?: string, email?: string, contact?: string }} [prefill]
 * @property {{ color?: string }} [theme]
 * @property {(response: Record<string, string>) => void} [handler]
 * @property {{ ondismiss?: () => void, escape?: boolean, backdropclose?: boolean, confirm_close?: boolean, animation?: boolean }} [modal]
 * @property {{ enabled?: boolean }} [retry]
 * @property {number} [timeout] in seconds
 * @property {string} [callback_url]
 * @property {boolean} [redirect]
 *
 * @typedef {import('./view.js').View} View
 * @typedef {{ code?: string, description?: string, metadata?: object }} Failure
 */

const API =
  document.currentScript instanceof HTMLScriptElement
    ? document.currentScript.src.replace(/[^/]*$/, '')
    : ''
const UNREACHABLE = 'The sandbox can’t be reached. Please try again.'

class Razorpay {
  /** @type {Map<string, ((event: object) => void)[]>} */
  #listeners = new Map()
  /** @type {Options} */
  #options
  /** @type {View | undefined} */
  #view

  /** @param {Options} options */
  constructor(options) {
    if (!options?.key) throw new Error('No key passed')
    this.#options = options
  }

  /** @param {string} event @param {(event: object) => void} listener */
  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener])
    return this
  }

  open() {
    if (this.#view) return
    const { timeout, modal } = this.#options
    const view = createView(this.#options, {
      pay: () => this.#attempt('paid'),
      fail: () => this.#attempt('failed'),
      dismiss: () => {
        if (!modal?.confirm_close || window.confirm('Close the payment window?')) this.#dismiss()
      }
    })
    this.#view = view
    if (timeout) view.countDown(timeout, () => this.#dismiss())
    void this.#readOrder(view)
  }

  close() {
    this.#view?.remove()
    this.#view = undefined
  }

  #dismiss() {
    if (!this.#view) return
    this.close()
    this.#options.modal?.ondismiss?.()
  }

  /** @param {View} view */
  async #readOrder(view) {
    const { key, order_id } = this.#options
    const { order, error } = await call(
      `preferences?${new URLSearchParams({ key_id: key, order_id })}`
    )
    if (error) view.showUnpayable(error.description ?? UNREACHABLE)
    else if (order.status === 'paid') view.showUnpayable('This order is already paid.')
    else view.showAmount(order.amount, order.currency)
  }

  /** @param {'paid' | 'failed'} outcome */
  async #attempt(outcome) {
    const view = this.#view
    if (!view) return
    const { key: key_id, order_id, amount, description, prefill } = this.#options
    const { email, contact } = prefill ?? {}
    view.showProgress(outcome === 'paid' ? 'Processing payment…' : 'Failing the payment…')
    const values = Object.entries({
      key_id,
      order_id,
      outcome,
      amount,
      description,
      email,
      contact
    })
    const fields = values.flatMap(([name, value]) => (value ? [[name, `${value}`]] : []))
    const { error, ...response } = await call('payments/create/ajax', new URLSearchParams(fields))
    if (error) this.#handleFailure(view, error)
    else this.#handleSuccess(response)
  }

  /** @param {Record<string, string>} response */
  #handleSuccess(response) {
    const { handler, redirect, callback_url } = this.#options
    this.close()
    if (callback_url && (redirect || !handler)) post(callback_url, response)
    else handler?.(response)
  }

  /** @param {View} view @param {Failure} error */
  #handleFailure(view, error) {
    view.showError(error.description ?? UNREACHABLE)
    // Without a code, the request did not reach the sandbox.
    if (!error.code) return
    for (const listener of this.#listeners.get('payment.failed') ?? []) listener({ error })
    const { redirect, callback_url, retry } = this.#options
    if (redirect && callback_url) post(callback_url, errorFields(error))
    else if (retry?.enabled === false) this.#dismiss()
  }
}

/**
 * @param {string} path @param {URLSearchParams} [form] @returns {Promise<any>} the response body,
 * or `{ error }`
 */
async function call(path, form) {
  try {
    const response = await fetch(API + path, form ? { method: 'POST', body: form } : {})
    return await response.json()
  } catch {
    return { error: {} }
  }
}

/** @param {string} action @param {Record<string, string>} fields */
function post(action, fields) {
  const form = Object.assign(document.createElement('form'), {
    method: 'post',
    action,
    hidden: true
  })
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }))
  }
  document.body.append(form)
  form.submit()
}

/** @param {Failure} failure @returns {Record<string, string>} */
function errorFields({ metadata, ...details }) {
  const fields = Object.entries(details).map(([name, value]) => [`error[${name}]`, `${value}`])
  return { ...Object.fromEntries(fields), 'error[metadata]': JSON.stringify(metadata) }
}

Object.assign(window, { Razorpay })
