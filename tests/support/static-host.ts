import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { contentType } from '#server/publishing/release/headers.ts'

export type StaticHost = Awaited<ReturnType<typeof startStaticHost>>

/**
 * Serves a folder as Netlify and Cloudflare Pages do: clean addresses, `_headers`, `_redirects` and
 * a 404 page.
 */
export async function startStaticHost(folder: string) {
  const server = createServer((request, reply) => respond(folder, request, reply))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop(): void {
      server.close()
      server.closeAllConnections()
    }
  }
}

function respond(folder: string, { url = '/' }: IncomingMessage, reply: ServerResponse): void {
  const { pathname, search } = new URL(url, 'http://localhost')
  const target = findRedirect(folder, pathname)
  if (target !== undefined) return void reply.writeHead(301, { location: target + search }).end()
  const names = pathname === '/' ? ['index.html'] : [`${pathname.slice(1)}.html`, pathname.slice(1)]
  const name = names.find(
    candidate => !candidate.startsWith('_headers') && existsSync(join(folder, candidate))
  )
  for (const [header, value] of readHeaders(folder, pathname)) reply.setHeader(header, value)
  reply.setHeader('content-type', contentType(name ?? '404.html'))
  reply
    .writeHead(name === undefined ? 404 : 200)
    .end(readFileSync(join(folder, name ?? '404.html')))
}

function findRedirect(folder: string, path: string): string | undefined {
  const rules = readFileSync(join(folder, '_redirects'), 'utf8').split('\n')
  const [, target] = rules.map(rule => rule.split(' ')).find(([from]) => from === path) ?? []
  const canonical = path.replace(/(.)\/+$/, '$1').replace(/\.html$/, '')
  return target ?? (canonical === path ? undefined : canonical)
}

/**
 * The headers of all rules that match are sent. Values of the same header are joined with a comma.
 */
function readHeaders(folder: string, path: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const rule of readFileSync(join(folder, '_headers'), 'utf8').split(/\n(?=\/)/)) {
    const [pattern = '', ...lines] = rule.trimEnd().split('\n')
    for (const line of matchesRule(pattern, path) ? lines : []) {
      const [, name = '', value = ''] = /^ {2}([^:]+): (.*)$/.exec(line) ?? []
      headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value)
    }
  }
  return headers
}

/**
 * `*` matches anything, `:name` one segment. At Netlify, `/blogs/*` is also the rule of `/blogs`.
 */
function matchesRule(pattern: string, path: string): boolean {
  const source = pattern
    .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/\/\*$/, '(?:/.*)?')
    .replaceAll(/:\w+/g, '[^/]+')
  return new RegExp(`^${source}$`).test(path)
}
