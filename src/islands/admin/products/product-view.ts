export type View = { kind: 'list' } | { kind: 'product'; id: string } | { kind: 'import' }

/** The id of a new product in the URL. It is never a real id, because real ids begin with a letter or digit. */
export const NEW_ID = '+'

export const IMPORT_QUERY = '?import'

export function parseView(query: string): View {
  const params = new URLSearchParams(query)
  const id = params.get('product')
  if (id !== null && id !== '') return { kind: 'product', id }
  return params.has('import') ? { kind: 'import' } : { kind: 'list' }
}

export function productQuery(id: string): string {
  return `?${new URLSearchParams({ product: id })}`
}
