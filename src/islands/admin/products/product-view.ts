/** What the page shows, as its address says. */
export type View = { kind: 'list' } | { kind: 'product'; id: string } | { kind: 'import' }

/** In place of an id: a product that is not there yet. No product is called so, because ids begin with a letter or digit. */
export const NEW = '+'

export const IMPORT_QUERY = '?import'

export function readView(query: string): View {
  const asked = new URLSearchParams(query)
  const id = asked.get('product')
  if (id !== null && id !== '') return { kind: 'product', id }
  return asked.has('import') ? { kind: 'import' } : { kind: 'list' }
}

export function productQuery(id: string): string {
  return `?${new URLSearchParams({ product: id })}`
}
