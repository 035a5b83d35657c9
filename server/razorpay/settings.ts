import { readSandboxKeys } from '../../sandbox/objects.ts'
import { toLocalOrigin, type Address } from '../platform/process/settings.ts'
import type { RazorpayConfig } from './config.ts'

export interface PaymentSettings extends RazorpayConfig {
  isSandbox: boolean
}

export const SANDBOX_PATH = '/sandbox/razorpay'

interface CheckoutAddress {
  razorpay: RazorpayConfig | undefined
  publicApiBase: string
}

export async function readPaymentSettings(
  config: CheckoutAddress & Address & { dataDir: string }
): Promise<PaymentSettings> {
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

export function toCheckoutUrl({ razorpay, publicApiBase }: CheckoutAddress): string {
  if (razorpay) return razorpay.checkoutUrl
  const script = `${SANDBOX_PATH}/v1/checkout.js`
  return publicApiBase.startsWith('/') ? script : new URL(script, publicApiBase).href
}
