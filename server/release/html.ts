/** A start tag; for raw text elements such as `script` and `style`, also the text as the browser hashes it. */
export interface Element {
  name: string
  attributes: ReadonlyMap<string, string>
  text: string
}

const OPENING = /<!--|<([a-zA-Z][^\s/>]*)/g
// As browsers parse attributes: '>' and '<script' inside quotes are text.
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?/y
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'xmp', 'noembed', 'noframes'])

export function parseElements(html: string): Element[] {
  // Browsers normalise newlines before hashing.
  const page = html.replace(/\r\n?/g, '\n')
  const found: Element[] = []
  let position = 0
  for (;;) {
    OPENING.lastIndex = position
    const opening = OPENING.exec(page)
    if (!opening) return found
    const name = opening[1]?.toLowerCase()
    if (name === undefined) {
      position = indexAfter(page, '-->', opening.index + 2)
      continue
    }
    const attributes = new Map<string, string>()
    const inside = indexAfter(page, '>', readAttributes(page, OPENING.lastIndex, attributes))
    const text = RAW_TEXT.has(name) ? rawText(page, name, inside) : ''
    found.push({ name, attributes, text })
    position = inside + text.length
  }
}

function readAttributes(page: string, start: number, into: Map<string, string>): number {
  let end = start
  for (;;) {
    ATTRIBUTE.lastIndex = end
    const match = ATTRIBUTE.exec(page)
    if (!match) return end
    end = ATTRIBUTE.lastIndex
    const [, name = '', double, single, bare] = match
    // The first of duplicate attributes wins, as in browsers.
    if (!into.has(name.toLowerCase())) into.set(name.toLowerCase(), unescapeHtml(double ?? single ?? bare ?? ''))
  }
}

function rawText(page: string, name: string, from: number): string {
  const closing = new RegExp(String.raw`</${name}(?=[\s/>])`, 'gi')
  closing.lastIndex = from
  return page.slice(from, closing.exec(page)?.index ?? page.length)
}

function indexAfter(page: string, text: string, from: number): number {
  const found = page.indexOf(text, from)
  return found < 0 ? page.length : found + text.length
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name) return NAMED[name.toLowerCase()] ?? whole
      return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16))
    }
  )
}
