/** An element's start tag, and for `script` and `style` the text inside exactly as the browser hashes it. */
export interface Element {
  name: string
  attributes: ReadonlyMap<string, string>
  text: string
}

const OPENING = /<!--|<([a-zA-Z][^\s/>]*)/g
// An attribute as browsers take it apart: a '>' or a '<script' inside quotes is text, not markup.
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?/y
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'xmp', 'noembed', 'noframes'])

/** The elements of a complete page, in order; comments and the text of raw elements hold none. */
export function elements(html: string): Element[] {
  // The parser of a browser turns line ends into \n before it hashes what is between them.
  const page = html.replace(/\r\n?/g, '\n')
  const found: Element[] = []
  let position = 0
  for (;;) {
    OPENING.lastIndex = position
    const opening = OPENING.exec(page)
    if (!opening) return found
    const name = opening[1]?.toLowerCase()
    if (name === undefined) {
      position = after(page, '-->', opening.index + 2)
      continue
    }
    const attributes = new Map<string, string>()
    const inside = after(page, '>', readAttributes(page, OPENING.lastIndex, attributes))
    const text = RAW_TEXT.has(name) ? rawText(page, name, inside) : ''
    found.push({ name, attributes, text })
    position = inside + text.length
  }
}

/** Fills `into` with the attributes from `start` on; answers where they end. */
function readAttributes(page: string, start: number, into: Map<string, string>): number {
  let end = start
  for (;;) {
    ATTRIBUTE.lastIndex = end
    const match = ATTRIBUTE.exec(page)
    if (!match) return end
    end = ATTRIBUTE.lastIndex
    const [, name = '', double, single, bare] = match
    // The first of two attributes with one name counts, as in a browser.
    if (!into.has(name.toLowerCase())) into.set(name.toLowerCase(), unescapeHtml(double ?? single ?? bare ?? ''))
  }
}

function rawText(page: string, name: string, from: number): string {
  const closing = new RegExp(String.raw`</${name}(?=[\s/>])`, 'gi')
  closing.lastIndex = from
  return page.slice(from, closing.exec(page)?.index ?? page.length)
}

function after(page: string, what: string, from: number): number {
  const found = page.indexOf(what, from)
  return found < 0 ? page.length : found + what.length
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
