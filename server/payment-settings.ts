import { createHmac } from 'node:crypto'
import { localOrigin, type Config } from './config.ts'
import { readSecret } from './secret.ts'

/** How the shop reaches the payment provider, or the sandbox that stands in for it: the shop's own code sees no difference. */
export interface PaymentSettings {
  keyId: string
  /** Signs what the browser brings back from the provider's window. */
  keySecret: string
  /** What signs webhooks; each of them is valid. */
  webhookSecrets: readonly string[]
  /** Absolute, without a slash at its end. */
  apiBase: string
  /** The script that defines `window.Razorpay`: absolute, or a path of this origin. */
  checkoutUrl: string
  /** Whether the built-in sandbox is mounted, so that no money moves. */
  isSandbox: boolean
}

/** Where the shop mounts the sandbox. */
export const SANDBOX_PATH = '/sandbox/razorpay'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const KEY_LETTERS = 14

/** The provider's account from the settings, or else a sandbox whose keys are this shop's own. Throws ConfigError. */
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

/** The script that defines `window.Razorpay`: absolute, or a path of this origin. */
export function checkoutUrlOf({ razorpay, publicApiBase }: Pick<Config, 'razorpay' | 'publicApiBase'>): string {
  if (razorpay) return razorpay.checkoutUrl
  const script = `${SANDBOX_PATH}/v1/checkout.js`
  // Pages that live on a CDN find it where they find the API.
  return publicApiBase.startsWith('/') ? script : new URL(script, publicApiBase).href
}

export interface SandboxKeys {
  keyId: string
  keySecret: string
  webhookSecret: string
}

/** Keys that look like the provider's test keys, made once for a folder. Throws ConfigError. */
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
