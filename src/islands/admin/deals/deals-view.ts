/** `repeatOf` is the id of an ended deal. Its values are the initial values in the form for a new deal. */
export type View = { kind: 'list'; repeatOf?: string } | { kind: 'deal'; id: string }

export function parseView(query: string): View {
  const params = new URLSearchParams(query)
  const [id, repeatOf] = [params.get('deal'), params.get('like')]
  if (id) return { kind: 'deal', id }
  return { kind: 'list', ...(repeatOf && { repeatOf }) }
}

export function dealQuery(id: string): string {
  return `?${new URLSearchParams({ deal: id })}`
}

export function repeatQuery(id: string): string {
  return `?${new URLSearchParams({ like: id })}`
}
