/** Renders the pages of the built site. */
export interface Renderer {
  clearCache(): void
  list(): Promise<SiteAddress[]>
  /** Calls must not overlap. */
  render(address: string): Promise<Rendered>
  /** Hash of the current result of a read listed in `Rendered.reads`. */
  digestOf(read: string): Promise<string>
}

export interface SiteAddress {
  address: string
  /** A file is, for example, `robots.txt`. */
  kind: 'page' | 'file'
}

export interface Rendered {
  status: number
  body: string
  /** The data reads of the page, by name and arguments. */
  reads: string[]
}
