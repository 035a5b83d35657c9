export interface ListQuery {
  q: string
  filter: string
  page: number
}

export function parseListQuery(query: string, filterName: string): ListQuery {
  const params = new URLSearchParams(query)
  return {
    q: params.get('q') ?? '',
    filter: params.get(filterName) ?? '',
    page: Math.max(1, Number(params.get('page')) || 1)
  }
}

/** Resets the page to 1, unless `change` sets a page. */
export function changeQuery(query: string, change: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ page: '', ...change })) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const changed = params.toString()
  return changed && `?${changed}`
}
