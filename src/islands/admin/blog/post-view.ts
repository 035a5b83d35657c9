/** In place of an id: a post that is not there yet. No post is called so, because ids begin with a letter or digit. */
export const NEW = '+'

/** The post that the page shows, as its address says; undefined for the list. */
export function readPostId(query: string): string | undefined {
  return new URLSearchParams(query).get('post') || undefined
}

export function postQuery(id: string): string {
  return `?${new URLSearchParams({ post: id })}`
}
