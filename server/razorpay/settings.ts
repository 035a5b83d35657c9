import { createHmac } from 'node:crypto'
import { toLocalOrigin, type Config } from '../config.ts'
import { readSecret } from '../platform/process/secret.ts'
import type { RazorpayConfig } from './config.ts'

export interface PaymentSettings extends RazorpayConfig {
  isSandbox: boolean
}

export const SANDBOX_PATH = '/sandbox/razorpay'

/** Razorpay's ids have a prefix and 14 of these characters. */
export const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
export const ID_LENGTH = 14

export async function readPaymentSettings(config: Config): Promise<PaymentSettings> {
  if (config.razorpay) return { ...config.razorpay, isSandbox: false }
  const { webhookSecret, ...keys } = await readSandboxKeys(config.dataDir)
  return {
    ...keys,
    webhookSecrets: [webhookSecret],
    apiBase: `${toLocalOrigin(config)}${SANDBOX_PATH}/v1`,
    checkoutUrl: toCheckoutUrl(config),
    isSandbox: true
  }
}

export function toCheckoutUrl({
  razorpay,
  publicApiBase
}: Pick<Config, 'razorpay' | 'publicApiBase'>): string {
  if (razorpay) return razorpay.checkoutUrl
  const script = `${SANDBOX_PATH}/v1/checkout.js`
  return publicApiBase.startsWith('/') ? script : new URL(script, publicApiBase).href
}

export interface SandboxKeys {
  keyId: string
  keySecret: string
  webhookSecret: string
}

export async function readSandboxKeys(dataDir: string): Promise<SandboxKeys> {
  const secret = await readSecret({ dataDir, shopSecret: undefined }, 'sandbox')
  const deriveKey = (name: string): Buffer => createHmac('sha256', secret).update(name).digest()
  const idBytes = [...deriveKey('key id').subarray(0, ID_LENGTH)]
  return {
    keyId: `rzp_test_${idBytes.map(byte => ID_CHARACTERS[byte % ID_CHARACTERS.length]).join('')}`,
    keySecret: deriveKey('key secret').toString('hex').slice(0, 24),
    webhookSecret: deriveKey('webhook secret').toString('hex')
  }
}
