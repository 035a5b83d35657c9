/** Stands for a new post in the URL; ids always begin with a letter or digit. */
export const NEW = '+'

export function readPostId(query: string): string | undefined {
  return new URLSearchParams(query).get('post') || undefined
}

export function postQuery(id: string): string {
  return `?${new URLSearchParams({ post: id })}`
}
