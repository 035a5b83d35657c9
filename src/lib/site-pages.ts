import { paths } from './paths.ts'

export interface Pages {
  products: ReadonlySet<string>
  posts: ReadonlySet<string>
}

const FIXED = new Set<string>(Object.values(paths).filter(path => typeof path === 'string'))

export function isPage(address: string, { products, posts }: Pages): boolean {
  const path = address.replace(/[?#].*$/, '')
  if (FIXED.has(path)) return true
  const [, kind, id = '', ...more] = path.split('/')
  const ids = { products, blogs: posts }[kind ?? '']
  return more.length === 0 && ids?.has(id) === true
}
