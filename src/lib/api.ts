import type { Api } from './contract/index.ts'
import type { ErrorBody } from './errors.ts'
import { ShopError } from './shop-error.ts'
import { CALL_TIMEOUT } from './time.ts'

export type Send = (url: string, init: RequestInit) => Promise<Response>
type Options<Call extends keyof Api> = Omit<Api[Call], 'reply'>

const PUBLIC_BASE: string = import.meta.env?.PUBLIC_API_BASE ?? '/api'

interface Settings {
  base: string
  send: Send
  /** What tells the shop who asks, sent with every call. */
  token: () => string | undefined
  /** Told when a call that carried a token was answered by 401. */
  onUnauthorized: (token: string, call: keyof Api) => void
  /** Told of each call that was done. */
  onDone: (call: keyof Api) => void
}

const settings: Settings = {
  base: PUBLIC_BASE,
  send: (url, init) => fetch(url, init),
  token: () => undefined,
  onUnauthorized: () => undefined,
  onDone: () => undefined
}

/** Where calls go and how: the build asks the server beside it, tests answer with the real server in process. */
export function configureApi(changes: Partial<Settings>): void {
  Object.assign(settings, changes)
}

/** The API base that visitors' browsers call, without a slash at its end; the same while the build asks another one. */
export function apiBase(): string {
  return PUBLIC_BASE
}

/** How a call travels that is not like the others: what comes from a phone's camera takes longer, and tells how far it is. */
interface Way {
  send?: Send
  /** In ms. */
  patience?: number
}

type Arguments<Call extends keyof Api> =
  Record<string, never> extends Options<Call> ? [Options<Call>?, Way?] : [Options<Call>, Way?]

/**
 * One call of the contract. A read that finds no network is tried once more. Throws ShopError: the server's own code,
 * text and fields, or OFFLINE when no answer came within 15 s.
 */
export async function api<Call extends keyof Api>(
  call: Call,
  ...[options, way]: Arguments<Call>
): Promise<Api[Call]['reply']> {
  const response = await ask(call, options, way)
  return (await response.json().catch(() => undefined)) as Api[Call]['reply']
}

/** A call that is answered with a file. Throws as `api` does. */
export async function apiFile<Call extends FileCall>(call: Call, ...[options]: Arguments<Call>): Promise<Blob> {
  return (await ask(call, options)).blob()
}

type FileCall = { [Call in keyof Api]: Api[Call]['reply'] extends Blob ? Call : never }[keyof Api]

async function ask(call: keyof Api, options: object = {}, way: Way = {}): Promise<Response> {
  const [method = 'GET', path = ''] = call.split(' ')
  const { params, query, body } = { params: {}, query: {}, body: undefined, ...options }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(Reflect.get(params, name))))
  const search = new URLSearchParams(query).toString()
  const token = settings.token()
  const response = await answer(`${settings.base}${filled}${search && `?${search}`}`, { method, token, body, ...way })
  if (response.status === 401 && token) settings.onUnauthorized(token, call)
  if (!response.ok) throw failure(await response.json().catch(() => undefined), response)
  settings.onDone(call)
  return response
}

interface Sent extends Way {
  method: string
  token: string | undefined
  body: unknown
}

async function answer(url: string, { method, token, body, send = settings.send, patience }: Sent): Promise<Response> {
  const content = body === undefined || body instanceof FormData ? body : JSON.stringify(body)
  const attempt = (): Promise<Response> =>
    send(url, {
      method,
      signal: AbortSignal.timeout(patience ?? CALL_TIMEOUT),
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

function failure(reply: unknown, { status, headers }: Response): ShopError {
  const { code, ...words } = (reply ?? {}) as Partial<ErrorBody>
  const retryAfter = Number(headers.get('retry-after'))
  return new ShopError(code ?? (status < 500 ? 'MALFORMED_REQUEST' : 'INTERNAL'), { ...words, status, retryAfter })
}
