import type { Api } from './contract/index.ts'
import { ERRORS, ShopError, type ErrorCode, type FieldErrors } from './errors.ts'
import { CALL_TIMEOUT } from './time.ts'

type Send = (url: string, init: RequestInit) => Promise<Response>
type Options<Call extends keyof Api> = Omit<Api[Call], 'reply'>

const PUBLIC_BASE: string = import.meta.env?.PUBLIC_API_BASE ?? '/api'
let base = PUBLIC_BASE
let send: Send = (url, init) => fetch(url, init)

/** Where calls go and how: the build asks the server beside it, tests answer with the real server in process. */
export function configureApi(settings: { base?: string; send?: Send }): void {
  base = settings.base ?? base
  send = settings.send ?? send
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
  const response = await answer(`${base}${filled}${search && `?${search}`}`, method, body)
  const reply: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw failure(reply, response.status)
  return reply as Api[Call]['reply']
}

async function answer(url: string, method: string, body: unknown): Promise<Response> {
  const attempt = (): Promise<Response> =>
    send(url, {
      method,
      signal: AbortSignal.timeout(CALL_TIMEOUT),
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    })
  try {
    return await (method === 'GET' ? attempt().catch(attempt) : attempt())
  } catch (cause) {
    throw new ShopError('OFFLINE', { cause })
  }
}

function failure(reply: unknown, status: number): ShopError {
  const { code, message, fields } = (reply ?? {}) as { code?: string; message?: string; fields?: FieldErrors }
  const known =
    code !== undefined && code in ERRORS ? (code as ErrorCode) : status < 500 ? 'MALFORMED_REQUEST' : 'INTERNAL'
  return new ShopError(known, { ...(message && { message }), ...(fields && { fields }) })
}
