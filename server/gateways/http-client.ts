import { Agent as PlainAgent, request as requestPlain, type ClientRequest, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'

export interface HttpCall {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
  /** Until the whole answer must be there, in ms. */
  timeout: number
}

export interface HttpAnswer {
  status: number
  text: string
}

/** The whole answer was not there in time. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** More than any answer that we ask for. */
const LONGEST_ANSWER = 8 * 1024 * 1024
const KEPT = { keepAlive: true, keepAliveMsecs: 10_000 }

/** Calls over connections that are kept; a call of fetch costs three times the CPU (measured). Redirects are answers. */
export function createHttpClient(): (call: HttpCall) => Promise<HttpAnswer> {
  const plain = new PlainAgent(KEPT)
  const secure = new SecureAgent(KEPT)

  function begin({ url, method, headers, body }: HttpCall): ClientRequest {
    const sized = body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
    return url.startsWith('https:')
      ? requestSecure(url, { method, headers: sized, agent: secure })
      : requestPlain(url, { method, headers: sized, agent: plain })
  }

  return call =>
    new Promise((resolve, reject) => {
      const request = begin(call)
      const timer = setTimeout(() => request.destroy(new TimeoutError('No answer in time')), call.timeout)
      const end = (error: Error): void => {
        clearTimeout(timer)
        reject(error)
      }
      request.once('error', end)
      request.once('response', response => {
        readText(response).then(text => {
          clearTimeout(timer)
          resolve({ status: response.statusCode ?? 0, text })
        }, end)
      })
      request.end(call.body)
    })
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const part of response as AsyncIterable<string>) {
    text += part
    if (text.length > LONGEST_ANSWER) throw new Error('The answer is too long')
  }
  return text
}
