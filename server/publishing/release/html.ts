export interface Element {
  name: string
  attributes: ReadonlyMap<string, string>
  /** Content of a raw text element such as `script` or `style`. Empty for other elements. */
  text: string
}

const OPENING = /<!--|<([a-zA-Z][^\s/>]*)/g
// Inside a quoted attribute value, '>' and '<script' are text, as in browsers.
const ATTRIBUTE = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?/y
const RAW_TEXT = new Set(['script', 'style', 'textarea', 'title', 'iframe', 'xmp', 'noembed', 'noframes'])

export function parseElements(html: string): Element[] {
  // Browsers normalise newlines before they compute hashes for the Content-Security-Policy.
  const page = html.replace(/\r\n?/g, '\n')
  const elements: Element[] = []
  let position = 0
  for (;;) {
    OPENING.lastIndex = position
    const opening = OPENING.exec(page)
    if (!opening) return elements
    const name = opening[1]?.toLowerCase()
    if (name === undefined) {
      position = indexAfter(page, '-->', opening.index + 2)
      continue
    }
    const attributes = new Map<string, string>()
    const contentStart = indexAfter(page, '>', readAttributes(page, OPENING.lastIndex, attributes))
    const text = RAW_TEXT.has(name) ? readRawText(page, name, contentStart) : ''
    elements.push({ name, attributes, text })
    position = contentStart + text.length
  }
}

function readAttributes(page: string, start: number, attributes: Map<string, string>): number {
  let end = start
  for (;;) {
    ATTRIBUTE.lastIndex = end
    const match = ATTRIBUTE.exec(page)
    if (!match) return end
    end = ATTRIBUTE.lastIndex
    const [, name = '', doubleQuoted, singleQuoted, unquoted] = match
    // If an attribute occurs twice, browsers use the first value.
    if (!attributes.has(name.toLowerCase()))
      attributes.set(name.toLowerCase(), unescapeHtml(doubleQuoted ?? singleQuoted ?? unquoted ?? ''))
  }
}

function readRawText(page: string, name: string, from: number): string {
  const closing = new RegExp(String.raw`</${name}(?=[\s/>])`, 'gi')
  closing.lastIndex = from
  return page.slice(from, closing.exec(page)?.index ?? page.length)
}

function indexAfter(page: string, text: string, from: number): number {
  const index = page.indexOf(text, from)
  return index < 0 ? page.length : index + text.length
}

const NAMED_ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|lt|gt|quot|apos));/gi,
    (entity, decimal?: string, hex?: string, name?: string) => {
      if (name) return NAMED_ENTITIES[name.toLowerCase()] ?? entity
      return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16))
    }
  )
}
