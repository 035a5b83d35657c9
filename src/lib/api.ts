import type { AccountsApi } from './contract/accounts.ts'
import type { AdminApi } from './contract/admin.ts'
import type { CatalogApi } from './contract/catalog.ts'
import type { CheckoutApi } from './contract/checkout.ts'
import type { CollectionsApi } from './contract/collections.ts'
import type { ContentApi } from './contract/content.ts'
import type { DeliveryApi } from './contract/delivery.ts'
import type { DeskApi } from './contract/desk.ts'
import type { KitchenApi } from './contract/kitchen.ts'
import type { OrdersApi } from './contract/orders.ts'
import type { PromotionsApi } from './contract/promotions.ts'
import type { SettingsApi } from './contract/settings.ts'
import { locale } from './contract/texts.ts'
import { ShopError, type ErrorBody } from './errors.ts'

export type Api = AccountsApi &
  AdminApi &
  CatalogApi &
  CheckoutApi &
  CollectionsApi &
  ContentApi &
  DeliveryApi &
  DeskApi &
  KitchenApi &
  OrdersApi &
  PromotionsApi &
  SettingsApi

export type Send = (url: string, init: RequestInit) => Promise<Response>
type Options<Call extends keyof Api> = Omit<Api[Call], 'reply'>

export const API_BASE: string = import.meta.env?.PUBLIC_API_BASE ?? '/api'

interface Settings {
  base: string
  send: Send
  token: () => string | undefined
  onUnauthorized: (token: string, call: keyof Api) => void
  onSuccess: (call: keyof Api) => void
  /** May ask for the password. Throws the error if the call can't be repeated. */
  verify: (error: unknown) => Promise<void>
  waitFor: WaitFor
}

type WaitFor = <Reply>(
  isRepeatable: boolean,
  send: (signal: AbortSignal | null) => Promise<Reply>
) => Promise<Reply>

const settings: Settings = {
  base: API_BASE,
  send(url, init) {
    const earlyReply = init.method === 'GET' && globalThis.earlyReplies?.get(url)
    globalThis.earlyReplies?.delete(url)
    return earlyReply || fetch(url, init)
  },
  token: () => undefined,
  onUnauthorized: () => undefined,
  onSuccess: () => undefined,
  verify: error => Promise.reject(error),
  waitFor: (_, send) => send(null)
}

declare global {
  /** By URL. `layouts/Admin.astro` made these calls before the scripts arrived. */
  var earlyReplies: Map<string, Promise<Response>> | undefined
}

export function configureApi(changes: Partial<Settings>): void {
  Object.assign(settings, changes)
}

interface Transport {
  send?: Send
  headers?: Record<string, string>
  isRepeatable?: boolean
}

type Arguments<Call extends keyof Api> =
  Record<string, never> extends Options<Call>
    ? [Options<Call>?, Transport?]
    : [Options<Call>, Transport?]

/** Repeats a GET once if no response arrives. Throws ShopError. */
export async function api<Call extends keyof Api>(
  call: Call,
  ...[options, transport]: Arguments<Call>
): Promise<Api[Call]['reply']> {
  return (await request(call, options, transport, readJson)) as Api[Call]['reply']
}

/** Other content is INTERNAL, for example the page of a captive portal. */
function readJson(response: Response): Promise<unknown> {
  return response.json().catch((cause: unknown) => {
    throw new ShopError(cause instanceof SyntaxError ? 'INTERNAL' : 'OFFLINE', { cause })
  })
}

export function apiFile<Call extends FileCall>(
  call: Call,
  ...[options]: Arguments<Call>
): Promise<Blob> {
  return request(call, options, {}, response => response.blob().catch(throwOffline))
}

type FileCall = { [Call in keyof Api]: Api[Call]['reply'] extends Blob ? Call : never }[keyof Api]

function throwOffline(cause: unknown): never {
  throw new ShopError('OFFLINE', { cause })
}

async function request<Reply>(
  call: keyof Api,
  options: object = {},
  transport: Transport = {},
  read: (response: Response) => Promise<Reply>
): Promise<Reply> {
  const { isRepeatable = false, send = settings.send, headers } = transport
  const [method = 'GET', path = ''] = call.split(' ')
  const parts: { params?: object; query?: Record<string, string>; body?: unknown } = options
  const { params = {}, query, body } = parts
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(Reflect.get(params, name)))
  )
  const search = new URLSearchParams(query).toString()
  const url = `${settings.base}${filled}${search && `?${search}`}`
  const content = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
  const reply = settings.waitFor(isRepeatable || method === 'GET', async signal => {
    const token = settings.token()
    const attempt = async (): Promise<Response> =>
      send(url, {
        method,
        signal,
        headers: {
          'accept-language': locale(),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(typeof content === 'string' && { 'content-type': 'application/json' }),
          ...headers
        },
        ...(content !== undefined && { body: content })
      })
    const sent = method === 'GET' ? attempt().catch(attempt) : attempt()
    const response = await sent.catch(throwOffline)
    if (response.status === 401 && token) settings.onUnauthorized(token, call)
    if (!response.ok) throw toShopError(await response.json().catch(() => undefined), response)
    settings.onSuccess(call)
    return read(response)
  })
  return reply.catch(async (error: unknown) => {
    await settings.verify(error)
    return request(call, options, transport, read)
  })
}

function toShopError(reply: unknown, { status, headers }: Response): ShopError {
  const { code, message, fields, quote, nextDay } = (reply ?? {}) as Partial<ErrorBody>
  const text = typeof message === 'string' ? message.trim() : ''
  const retryAfter = Number(headers.get('retry-after'))
  return new ShopError(code ?? 'INTERNAL', {
    ...(fields && { fields }),
    ...(quote && { quote }),
    nextDay,
    message: text,
    replyStatus: status,
    retryAfter
  })
}
