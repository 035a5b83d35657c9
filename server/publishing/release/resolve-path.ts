import { pageAddress } from './manifest.ts'
import { MY_ORDERS_PATH, paths } from '#lib/paths.ts'

export type PathResult = { kind: 'file'; name: string } | { kind: 'redirect'; to: string } | { kind: 'nothing' }

const NOTHING: PathResult = { kind: 'nothing' }
const REDIRECTS: Record<string, string> = { [MY_ORDERS_PATH]: paths.orders }

export function resolvePath(target: string, has: (name: string) => boolean): PathResult {
  const [path = '', query = ''] = splitQuery(target)
  const decoded = decodePath(path)
  if (decoded === undefined) return NOTHING
  const to = REDIRECTS[decoded.replace(/\/+$/, '')] ?? redirectTarget(path, decoded, has)
  if (to !== undefined) return { kind: 'redirect', to: to + query }
  const page = decoded === '/' ? 'index.html' : `${decoded.slice(1)}.html`
  if (has(page)) return { kind: 'file', name: page }
  return has(decoded.slice(1)) ? { kind: 'file', name: decoded.slice(1) } : NOTHING
}

export function decodeTarget(target: string): string | undefined {
  return decodePath(splitQuery(target)[0] ?? '')
}

function redirectTarget(path: string, decoded: string, has: (name: string) => boolean): string | undefined {
  if (decoded.endsWith('.html') && has(decoded.slice(1))) return encodeURI(pageAddress(decoded.slice(1)))
  if (path === '/' || !path.endsWith('/')) return undefined
  const withoutSlash = path.replace(/\/+$/, '')
  // Security: never redirects to '//evil.example', because browsers read it as the address of another website.
  return /^\/[^/\\]/.test(withoutSlash) ? withoutSlash : undefined
}

function splitQuery(target: string): [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)]
}

function decodePath(path: string): string | undefined {
  // Security: rejects characters that browsers read differently. They read a backslash as a slash, and ignore tabs and
  // newlines.
  if (!path.startsWith('/') || /[\0-\x20\\\x7f]/.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
