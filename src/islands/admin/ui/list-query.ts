/** What a list that comes in pages is asked, as the address says: `filter` is the name of its choice. */
export interface ListQuery {
  q: string
  filter: string
  page: number
}

export function readList(query: string, filter: string): ListQuery {
  const asked = new URLSearchParams(query)
  return {
    q: asked.get('q') ?? '',
    filter: asked.get(filter) ?? '',
    page: Math.max(1, Number(asked.get('page')) || 1)
  }
}

/** The address with something of it changed; another list begins at its first page. */
export function withChange(query: string, change: Readonly<Record<string, string>>): string {
  const asked = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ page: '', ...change })) {
    if (value === '') asked.delete(name)
    else asked.set(name, value)
  }
  const changed = asked.toString()
  return changed && `?${changed}`
}
