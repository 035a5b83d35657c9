import type { AccountsApi } from './contract/accounts.ts'
import type { AdminApi, SetupApi } from './contract/admin.ts'
import type { CatalogApi } from './contract/catalog.ts'
import type { CheckoutApi } from './contract/checkout.ts'
import type { CollectionsApi } from './contract/collections.ts'
import type { ContentApi } from './contract/content.ts'
import type { CouponsApi } from './contract/coupons.ts'
import type { DealsApi } from './contract/deals.ts'
import type { DeliveryApi } from './contract/delivery.ts'
import type { KitchenApi } from './contract/kitchen.ts'
import type { OrdersApi } from './contract/orders.ts'
import type { SearchApi } from './contract/search.ts'
import type { SettingsApi } from './contract/settings.ts'
import { ShopError, type ErrorBody } from './errors.ts'
import { CALL_TIMEOUT } from './time.ts'

export interface Api
  extends
    CatalogApi,
    CollectionsApi,
    CouponsApi,
    DealsApi,
    DeliveryApi,
    ContentApi,
    AccountsApi,
    CheckoutApi,
    KitchenApi,
    OrdersApi,
    SearchApi,
    SettingsApi,
    SetupApi,
    AdminApi {}

export type Send = (url: string, init: RequestInit) => Promise<Response>
type Options<Call extends keyof Api> = Omit<Api[Call], 'reply'>

const PUBLIC_BASE: string = import.meta.env?.PUBLIC_API_BASE ?? '/api'

interface Settings {
  base: string
  send: Send
  token: () => string | undefined
  onUnauthorized: (token: string, call: keyof Api) => void
  onSuccess: (call: keyof Api) => void
  /** Asks for the password after VERIFICATION_REQUIRED. Returns true if the call can be repeated. */
  verify: () => Promise<boolean>
}

const settings: Settings = {
  base: PUBLIC_BASE,
  send: (url, init) => takeEarlyReply(url, init) ?? fetch(url, init),
  token: () => undefined,
  onUnauthorized: () => undefined,
  onSuccess: () => undefined,
  verify: async () => false
}

declare global {
  /** Replies to calls that `layouts/Admin.astro` has made before the scripts arrived, by URL. */
  var earlyReplies: Map<string, Promise<Response>> | undefined
}

/** Each reply can be used once. */
function takeEarlyReply(url: string, { method }: RequestInit): Promise<Response> | undefined {
  const reply = method === 'GET' ? globalThis.earlyReplies?.get(url) : undefined
  globalThis.earlyReplies?.delete(url)
  return reply
}

export function configureApi(changes: Partial<Settings>): void {
  Object.assign(settings, changes)
}

/** Returns the API's base URL for browsers. During a build, `api()` can use another URL (BUILD_API_BASE). */
export function getApiBase(): string {
  return PUBLIC_BASE
}

interface Transport {
  send?: Send
  timeoutMs?: number
}

/** The options can be omitted if the call needs none. */
type Arguments<Call extends keyof Api> =
  Record<string, never> extends Options<Call> ? [Options<Call>?, Transport?] : [Options<Call>, Transport?]

/** Repeats a GET once if no response arrives. Throws the server's ShopError, or OFFLINE. */
export async function api<Call extends keyof Api>(
  call: Call,
  ...[options, transport]: Arguments<Call>
): Promise<Api[Call]['reply']> {
  const response = await request(call, options, transport)
  return (await readJson(response)) as Api[Call]['reply']
}

/** Throws OFFLINE if the connection ends too early, and INTERNAL for other content, for example of a captive portal. */
function readJson(response: Response): Promise<unknown> {
  return response.json().catch((cause: unknown) => {
    if (!(cause instanceof SyntaxError)) throw new ShopError('OFFLINE', { cause })
    throw new ShopError('INTERNAL', { cause })
  })
}

export async function apiFile<Call extends FileCall>(call: Call, ...[options]: Arguments<Call>): Promise<Blob> {
  const response = await request(call, options)
  return response.blob().catch((cause: unknown) => {
    throw new ShopError('OFFLINE', { cause })
  })
}

type FileCall = { [Call in keyof Api]: Api[Call]['reply'] extends Blob ? Call : never }[keyof Api]

async function request(call: keyof Api, options: object = {}, transport: Transport = {}): Promise<Response> {
  const [method = 'GET', path = ''] = call.split(' ')
  const { params, query, body } = { params: {}, query: {}, body: undefined, ...options }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(Reflect.get(params, name))))
  const search = new URLSearchParams(query).toString()
  const token = settings.token()
  const url = `${settings.base}${filled}${search && `?${search}`}`
  const response = await fetchResponse(url, { method, token, body, ...transport })
  if (response.status === 401 && token) settings.onUnauthorized(token, call)
  if (!response.ok) {
    const error = toShopError(await response.json().catch(() => undefined), response)
    if (error.code === 'VERIFICATION_REQUIRED' && (await settings.verify())) return request(call, options, transport)
    throw error
  }
  settings.onSuccess(call)
  return response
}

interface RequestParts extends Transport {
  method: string
  token: string | undefined
  body: unknown
}

async function fetchResponse(
  url: string,
  { method, token, body, send = settings.send, timeoutMs = CALL_TIMEOUT }: RequestParts
): Promise<Response> {
  const content = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
  const attempt = (): Promise<Response> =>
    send(url, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(typeof content === 'string' && { 'content-type': 'application/json' })
      },
      ...(content !== undefined && { body: content })
    })
  try {
    return await (method === 'GET' ? attempt().catch(attempt) : attempt())
  } catch (cause) {
    throw new ShopError('OFFLINE', { cause })
  }
}

function toShopError(reply: unknown, { status, headers }: Response): ShopError {
  const { code, message, ...rest } = (reply ?? {}) as Partial<ErrorBody>
  const text = typeof message === 'string' && message.trim() !== '' ? { message } : {}
  const retryAfter = Number(headers.get('retry-after'))
  const defaultCode = status < 500 ? 'MALFORMED_REQUEST' : 'INTERNAL'
  return new ShopError(code ?? defaultCode, { ...rest, ...text, status, retryAfter })
}
