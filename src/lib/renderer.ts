export interface Renderer {
  clearCache(): void
  list(): Promise<SiteAddress[]>
  /** Calls must not overlap. */
  render(address: string): Promise<Rendered>
  digestOf(read: string): Promise<string>
}

export interface SiteAddress {
  address: string
  kind: 'page' | 'file'
}

export interface Rendered {
  status: number
  body: string
  reads: string[]
}
