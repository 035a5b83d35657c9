/** `like` is the id of a deal to repeat, which fills in the form. */
export type View = { kind: 'list'; like?: string } | { kind: 'deal'; id: string }

export function readView(query: string): View {
  const asked = new URLSearchParams(query)
  const [id, like] = [asked.get('deal'), asked.get('like')]
  if (id) return { kind: 'deal', id }
  return { kind: 'list', ...(like && { like }) }
}

export function dealQuery(id: string): string {
  return `?${new URLSearchParams({ deal: id })}`
}

export function repeatQuery(id: string): string {
  return `?${new URLSearchParams({ like: id })}`
}
