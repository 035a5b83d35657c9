import { createHmac } from 'node:crypto'
import { localOrigin, type Config } from './config.ts'
import { readSecret } from './secret.ts'

/** Connection to the payment provider or to the sandbox, which have the same interface. */
export interface PaymentSettings {
  keyId: string
  /** Signs the payment result that the browser sends. */
  keySecret: string
  /** A webhook signed with any of them is valid. */
  webhookSecrets: readonly string[]
  /** Absolute URL without a trailing slash. */
  apiBase: string
  /** The script that defines `window.Razorpay`: absolute URL or path. */
  checkoutUrl: string
  isSandbox: boolean
}

export const SANDBOX_PATH = '/sandbox/razorpay'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const KEY_LETTERS = 14

/** Throws ConfigError. */
export async function readPaymentSettings(config: Config): Promise<PaymentSettings> {
  if (config.razorpay) return { ...config.razorpay, isSandbox: false }
  const { webhookSecret, ...keys } = await sandboxKeys(config.dataDir)
  return {
    ...keys,
    webhookSecrets: [webhookSecret],
    apiBase: `${localOrigin(config)}${SANDBOX_PATH}/v1`,
    checkoutUrl: checkoutUrlOf(config),
    isSandbox: true
  }
}

export function checkoutUrlOf({ razorpay, publicApiBase }: Pick<Config, 'razorpay' | 'publicApiBase'>): string {
  if (razorpay) return razorpay.checkoutUrl
  const script = `${SANDBOX_PATH}/v1/checkout.js`
  // Pages on a CDN load it from the API's origin.
  return publicApiBase.startsWith('/') ? script : new URL(script, publicApiBase).href
}

export interface SandboxKeys {
  keyId: string
  keySecret: string
  webhookSecret: string
}

/** Keys in the provider's format, derived from a secret in `dataDir`. Throws ConfigError. */
export async function sandboxKeys(dataDir: string): Promise<SandboxKeys> {
  const secret = await readSecret(dataDir, 'sandbox')
  const derived = (name: string): Buffer => createHmac('sha256', secret).update(name).digest()
  const letters = [...derived('key id').subarray(0, KEY_LETTERS)].map(byte => LETTERS[byte % LETTERS.length])
  return {
    keyId: `rzp_test_${letters.join('')}`,
    keySecret: derived('key secret').toString('hex').slice(0, 24),
    webhookSecret: derived('webhook secret').toString('hex')
  }
}
