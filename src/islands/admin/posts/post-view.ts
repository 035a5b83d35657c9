/** The id of a new post in the URL. It is never a real id, because real ids begin with a letter or digit. */
export const NEW_ID = '+'

export function parsePostId(query: string): string | undefined {
  return new URLSearchParams(query).get('post') || undefined
}

export function postQuery(id: string): string {
  return `?${new URLSearchParams({ post: id })}`
}
