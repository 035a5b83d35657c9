/** The pages as a program: what the once built code offers to who publishes them. */
export interface Renderer {
  /** Reads everything anew from here on. */
  forget(): void
  /** What has an address, from today's data. */
  list(): Promise<Listed[]>
  /** Renders one; two never at once. */
  render(address: string): Promise<Rendered>
  /** A short hash of what a noted read answers today. */
  digestOf(read: string): Promise<string>
}

export interface Listed {
  address: string
  /** A page, or a file such as `robots.txt`. */
  kind: 'page' | 'file'
}

export interface Rendered {
  status: number
  body: string
  /** What was read for it, by name and arguments. */
  reads: string[]
}
