import { paths } from './paths.ts'

export interface Pages {
  products: ReadonlySet<string>
  posts: ReadonlySet<string>
}

const STATIC_PATHS = new Set<string>(Object.values(paths).filter(path => typeof path === 'string'))

export function isPage(address: string, { products, posts }: Pages): boolean {
  const path = address.replace(/[?#].*$/, '')
  if (STATIC_PATHS.has(path)) return true
  const [, kind, id = '', ...rest] = path.split('/')
  const ids = { products, blogs: posts }[kind ?? '']
  return rest.length === 0 && ids?.has(id) === true
}
