export type View = { kind: 'list' } | { kind: 'product'; id: string } | { kind: 'import' }

/** Stands for a new product in the URL; ids always begin with a letter or digit. */
export const NEW = '+'

export const IMPORT_QUERY = '?import'

export function readView(query: string): View {
  const params = new URLSearchParams(query)
  const id = params.get('product')
  if (id !== null && id !== '') return { kind: 'product', id }
  return params.has('import') ? { kind: 'import' } : { kind: 'list' }
}

export function productQuery(id: string): string {
  return `?${new URLSearchParams({ product: id })}`
}
