import * as z from 'zod/mini'
import {
  ConfigError,
  isLoopback,
  parseHttpUrl,
  parseSettings,
  secret,
  setting,
  type Environment,
  toLocalOrigin,
  type Address
} from '../platform/process/settings.ts'
import { readSandboxKeys } from '../../sandbox/objects.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

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
export const MAX_WEBHOOK_SECRETS = 2
const MIN_WEBHOOK_SECRET_LENGTH = 16

const RazorpaySettings = z.partial(
  z.object({
    RAZORPAY_KEY_ID: secret(
      /^rzp_(?:test|live)_[A-Za-z0-9]+$/,
      'must start with rzp_test_ or rzp_live_',
      'RAZORPAY_KEY_ID=rzp_test_1DP5mmOlF5G5ag'
    ),
    RAZORPAY_KEY_SECRET: z.string(),
    RAZORPAY_WEBHOOK_SECRET: secret(
      value =>
        splitSecrets(value).every(({ length }) => length >= MIN_WEBHOOK_SECRET_LENGTH) &&
        splitSecrets(value).length <= MAX_WEBHOOK_SECRETS,
      `must be one secret of at least ${MIN_WEBHOOK_SECRET_LENGTH} characters, ` +
        'or two separated by a comma during a change',
      'the output of "openssl rand -hex 32"'
    ),
    RAZORPAY_API_BASE: setting(
      value => isAddress(value) && !value.includes('?'),
      'must be an address that starts with http:// or https://',
      `RAZORPAY_API_BASE=${API_BASE}`
    ),
    RAZORPAY_CHECKOUT_URL: setting(
      isAddress,
      'must be the address of a script that starts with http:// or https://',
      `RAZORPAY_CHECKOUT_URL=${CHECKOUT_URL}`
    )
  })
)

/** `provider` is where keys apply that the owner saves, while the environment has none. */
export function readRazorpayConfig(env: Environment): {
  provider: Pick<RazorpayConfig, 'apiBase' | 'checkoutUrl'>
  razorpay: RazorpayConfig | undefined
} {
  const settings = parseSettings(RazorpaySettings, env)
  const {
    RAZORPAY_KEY_ID: keyId,
    RAZORPAY_KEY_SECRET: keySecret,
    RAZORPAY_WEBHOOK_SECRET: webhookSecrets
  } = settings
  const provider = {
    apiBase: settings.RAZORPAY_API_BASE?.replace(/\/+$/, '') ?? API_BASE,
    checkoutUrl: settings.RAZORPAY_CHECKOUT_URL ?? CHECKOUT_URL
  }
  if (KEYS.every(name => settings[name] === undefined)) return { provider, razorpay: undefined }
  if (keyId === undefined || keySecret === undefined || webhookSecrets === undefined) {
    const missing = KEYS.filter(name => settings[name] === undefined)
    throw new ConfigError(
      `${missing.join(', ')} must be set too, for example ${missing[0]}=…; ` +
        'to use the built-in sandbox, unset all keys'
    )
  }
  return {
    provider,
    razorpay: { keyId, keySecret, webhookSecrets: splitSecrets(webhookSecrets), ...provider }
  }
}

export function usesTestMode({ keyId }: Pick<RazorpayConfig, 'keyId'>): boolean {
  return keyId.startsWith('rzp_test_')
}

interface ShopAddress {
  host: string
  siteUrl: string
  /** SANDBOX=true */
  mayUseTestMode: boolean
}

/** Against giving goods away in a public shop, and charging real money in a trial. */
export function findModeProblem(
  { host, siteUrl, mayUseTestMode }: ShopAddress,
  keyId: string
): 'no keys' | 'test keys' | 'live keys' | undefined {
  const isLocalSite = isLoopback(new URL(siteUrl).hostname)
  if (keyId === '')
    return mayUseTestMode || (isLoopback(host) && isLocalSite) ? undefined : 'no keys'
  if (!usesTestMode({ keyId })) return isLocalSite ? 'live keys' : undefined
  return mayUseTestMode || !siteUrl.startsWith('https:') ? undefined : 'test keys'
}

const TRIAL_HINT = 'for a shop in which no money moves, set SANDBOX=true'
const MODE_PROBLEMS = {
  'no keys': `${KEYS.join(', ')} must be set, because HOST or SITE_URL is public; ${TRIAL_HINT}`,
  'test keys': `RAZORPAY_KEY_ID must start with rzp_live_, because SITE_URL is public; ${TRIAL_HINT}`,
  'live keys':
    'SITE_URL must be public, because RAZORPAY_KEY_ID starts with rzp_live_, ' +
    'for example SITE_URL=https://shop.example'
}

/** Throws ConfigError. */
export function checkPaymentMode(
  address: ShopAddress & { razorpay: RazorpayConfig | undefined },
  savedKeyId = ''
): void {
  const { razorpay, mayUseTestMode } = address
  let problem = findModeProblem(address, razorpay?.keyId ?? savedKeyId)
  // A copy of the shop on this machine does not use saved live keys, so that it can start.
  if (!razorpay && problem === 'live keys') problem = findModeProblem(address, '')
  if (problem) throw new ConfigError(MODE_PROBLEMS[problem])
  if (razorpay && mayUseTestMode && !usesTestMode(razorpay))
    throw new ConfigError('SANDBOX must be unset, because RAZORPAY_KEY_ID starts with rzp_live_')
}

function splitSecrets(value: string) {
  return value.split(',').map(part => part.trim())
}

function isAddress(value: string) {
  const url = parseHttpUrl(value)
  return url !== undefined && !url.hash
}

export interface PaymentSettings extends RazorpayConfig {
  isSandbox: boolean
}

export const SANDBOX_PATH = '/sandbox/razorpay'

interface SandboxAddress extends Address {
  razorpay: RazorpayConfig | undefined
  publicApiBase: string
  dataDir: string
}

/** Of the keys in the environment, or of the built-in sandbox. */
export async function readPaymentSettings(config: SandboxAddress): Promise<PaymentSettings> {
  const { razorpay, publicApiBase, dataDir } = config
  if (razorpay) return { ...razorpay, isSandbox: false }
  const { webhookSecret, ...keys } = await readSandboxKeys(dataDir)
  const script = `${SANDBOX_PATH}/v1/checkout.js`
  return {
    ...keys,
    webhookSecrets: [webhookSecret],
    apiBase: `${toLocalOrigin(config)}${SANDBOX_PATH}/v1`,
    checkoutUrl: publicApiBase.startsWith('/') ? script : new URL(script, publicApiBase).href,
    isSandbox: true
  }
}

export function signPayment(
  { keySecret }: Pick<PaymentSettings, 'keySecret'>,
  providerOrderId: string,
  paymentId: string
): string {
  return hmac(keySecret, `${providerOrderId}|${paymentId}`)
}

/** Says nothing of amount and status. */
export function isSignedPayment(
  settings: Pick<PaymentSettings, 'keySecret'>,
  providerOrderId: string,
  paymentId: string,
  signature: string
): boolean {
  return isSame(signature, signPayment(settings, providerOrderId, paymentId))
}

export function isSignedWebhook(
  { webhookSecrets }: Pick<PaymentSettings, 'webhookSecrets'>,
  body: Buffer,
  signature: string
): boolean {
  return webhookSecrets.some(secret => isSame(signature, hmac(secret, body)))
}

export function hmac(secret: string, text: string | Buffer): string {
  return createHmac('sha256', secret).update(text).digest('hex')
}

function isSame(actual: string, expected: string) {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
