import type { Api } from './contract/index.ts'
import type { ErrorBody } from './errors.ts'
import { ShopError } from './shop-error.ts'
import { CALL_TIMEOUT } from './time.ts'

type Send = (url: string, init: RequestInit) => Promise<Response>
type Options<Call extends keyof Api> = Omit<Api[Call], 'reply'>

const PUBLIC_BASE: string = import.meta.env?.PUBLIC_API_BASE ?? '/api'

interface Settings {
  base: string
  send: Send
  /** What tells the shop who asks, sent with every call. */
  token: () => string | undefined
  /** Told when a call that carried a token was answered by 401. */
  onUnauthorized: (token: string, call: keyof Api) => void
}

const settings: Settings = {
  base: PUBLIC_BASE,
  send: (url, init) => fetch(url, init),
  token: () => undefined,
  onUnauthorized: () => undefined
}

/** Where calls go and how: the build asks the server beside it, tests answer with the real server in process. */
export function configureApi(changes: Partial<Settings>): void {
  Object.assign(settings, changes)
}

/** The API base that visitors' browsers call, without a slash at its end; the same while the build asks another one. */
export function apiBase(): string {
  return PUBLIC_BASE
}

/**
 * One call of the contract. A read that finds no network is tried once more. Throws ShopError: the server's own code,
 * text and fields, or OFFLINE when no answer came within 15 s.
 */
export async function api<Call extends keyof Api>(
  call: Call,
  ...[options]: Record<string, never> extends Options<Call> ? [Options<Call>?] : [Options<Call>]
): Promise<Api[Call]['reply']> {
  const [method = 'GET', path = ''] = call.split(' ')
  const { params, query, body } = { params: {}, query: {}, body: undefined, ...options }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(Reflect.get(params, name))))
  const search = new URLSearchParams(query).toString()
  const token = settings.token()
  const response = await answer(`${settings.base}${filled}${search && `?${search}`}`, method, token, body)
  if (response.status === 401 && token) settings.onUnauthorized(token, call)
  const reply: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw failure(reply, response)
  return reply as Api[Call]['reply']
}

async function answer(url: string, method: string, token: string | undefined, body: unknown): Promise<Response> {
  const attempt = (): Promise<Response> =>
    settings.send(url, {
      method,
      signal: AbortSignal.timeout(CALL_TIMEOUT),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' })
      },
      ...(body !== undefined && { body: JSON.stringify(body) })
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
