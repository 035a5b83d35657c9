import { pageAddress } from './manifest.ts'
import { MY_ORDERS, paths } from '#lib/paths.ts'

export type Found = { kind: 'file'; name: string } | { kind: 'redirect'; to: string } | { kind: 'nothing' }

const NOTHING: Found = { kind: 'nothing' }
const MOVED: Record<string, string> = { [MY_ORDERS]: paths.orders }

export function findFile(target: string, has: (name: string) => boolean): Found {
  const [path = '', query = ''] = split(target)
  const decoded = decode(path)
  if (decoded === undefined) return NOTHING
  const to = MOVED[decoded.replace(/\/+$/, '')] ?? redirectTarget(path, decoded, has)
  if (to !== undefined) return { kind: 'redirect', to: to + query }
  const page = decoded === '/' ? 'index.html' : `${decoded.slice(1)}.html`
  if (has(page)) return { kind: 'file', name: page }
  return has(decoded.slice(1)) ? { kind: 'file', name: decoded.slice(1) } : NOTHING
}

export function requestedPath(target: string): string | undefined {
  return decode(split(target)[0] ?? '')
}

function redirectTarget(path: string, decoded: string, has: (name: string) => boolean): string | undefined {
  if (decoded.endsWith('.html') && has(decoded.slice(1))) return encodeURI(pageAddress(decoded.slice(1)))
  if (path === '/' || !path.endsWith('/')) return undefined
  const withoutSlash = path.replace(/\/+$/, '')
  // Security: '//evil.example/' without its trailing slash would redirect to another site.
  return /^\/[^/\\]/.test(withoutSlash) ? withoutSlash : undefined
}

function split(target: string): [path: string, query: string] {
  const mark = target.indexOf('?')
  return mark < 0 ? [target, ''] : [target.slice(0, mark), target.slice(mark)]
}

function decode(path: string): string | undefined {
  // Browsers treat a backslash as a slash and drop tabs and newlines.
  if (!path.startsWith('/') || /[\0-\x20\\\x7f]/.test(path)) return undefined
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}
