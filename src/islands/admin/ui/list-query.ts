export interface ListQuery {
  q: string
  filter: string
  page: number
}

/** `filter` is the name of the filter's URL parameter. */
export function readList(query: string, filter: string): ListQuery {
  const params = new URLSearchParams(query)
  return {
    q: params.get('q') ?? '',
    filter: params.get(filter) ?? '',
    page: Math.max(1, Number(params.get('page')) || 1)
  }
}

/** Returns to the first page unless `change` names one. */
export function withChange(query: string, change: Readonly<Record<string, string>>): string {
  const params = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ page: '', ...change })) {
    if (value === '') params.delete(name)
    else params.set(name, value)
  }
  const changed = params.toString()
  return changed && `?${changed}`
}
