import { ConfigError, quote, readSetting, parseHttpUrl, throwInvalid, type Environment } from '../platform/process/setting.ts'

export interface RazorpayConfig {
  keyId: string
  keySecret: string
  /** Contains the old and the new secret while the secret is being changed. */
  webhookSecrets: readonly string[]
  apiBase: string
  checkoutUrl: string
}

const API_BASE = 'https://api.razorpay.com/v1'
const CHECKOUT_URL = 'https://checkout.razorpay.com/v1/checkout.js'
const KEYS = ['RAZORPAY_KEY_ID', 'RAZORPAY_KEY_SECRET', 'RAZORPAY_WEBHOOK_SECRET'] as const
const MAX_WEBHOOK_SECRETS = 2

export function readRazorpayConfig(env: Environment): RazorpayConfig | undefined {
  const keyId = readSetting(env, 'RAZORPAY_KEY_ID', asKeyId)
  const keySecret = readSetting(env, 'RAZORPAY_KEY_SECRET', value => value)
  const webhookSecrets = readSetting(env, 'RAZORPAY_WEBHOOK_SECRET', asWebhookSecrets)
  const apiBase = readSetting(env, 'RAZORPAY_API_BASE', asApiBase)
  const checkoutUrl = readSetting(env, 'RAZORPAY_CHECKOUT_URL', asCheckoutUrl)
  if (keyId !== undefined && keySecret !== undefined && webhookSecrets !== undefined) {
    return { keyId, keySecret, webhookSecrets, apiBase: apiBase ?? API_BASE, checkoutUrl: checkoutUrl ?? CHECKOUT_URL }
  }
  if ([keyId, keySecret, webhookSecrets, apiBase, checkoutUrl].some(value => value !== undefined)) rejectPartial(env)
  return undefined
}

function rejectPartial(env: Environment): never {
  const missing = KEYS.filter(name => !env[name]?.trim())
  throw new ConfigError(
    `${missing.join(', ')} must be set too, for example ${missing[0]}=…; ` +
      'to use the built-in sandbox, unset all RAZORPAY_ settings'
  )
}

function asKeyId(value: string): string {
  if (/^rzp_(?:test|live)_[A-Za-z0-9]+$/.test(value)) return value
  return throwInvalid('must start with rzp_test_ or rzp_live_', 'RAZORPAY_KEY_ID=rzp_test_1DP5mmOlF5G5ag')
}

function asWebhookSecrets(value: string): string[] {
  const secrets = value.split(',').map(secret => secret.trim())
  if (secrets.length <= MAX_WEBHOOK_SECRETS && secrets.every(Boolean)) return secrets
  const example = 'the output of "openssl rand -hex 32"'
  return throwInvalid('must be one secret, or two separated by a comma during a change', example)
}

function asApiBase(value: string): string {
  const url = parseHttpUrl(value)
  const trimmed = value.replace(/\/+$/, '')
  if (url && !url.search && !url.hash) return trimmed
  const problem = `must be an address that starts with http:// or https://, not ${quote(value)}`
  return throwInvalid(problem, `RAZORPAY_API_BASE=${API_BASE}`)
}

function asCheckoutUrl(value: string): string {
  const url = parseHttpUrl(value)
  if (url && !url.hash) return value
  const problem = `must be the address of a script that starts with http:// or https://, not ${quote(value)}`
  return throwInvalid(problem, `RAZORPAY_CHECKOUT_URL=${CHECKOUT_URL}`)
}
