import { Parser } from 'htmlparser2'

export interface Element {
  name: string
  /** Entities, such as `&amp;`, are not decoded. */
  attributes: ReadonlyMap<string, string>
  text: string
}

// Scripts of other types, such as JSON-LD, are data. Browsers don't run them.
const EXECUTABLE_TYPE = /^(?:|module|(?:text|application)\/javascript|importmap|speculationrules)$/i

export function isInlineScript({ name, attributes }: Element): boolean {
  return (
    name === 'script' &&
    !attributes.has('src') &&
    EXECUTABLE_TYPE.test((attributes.get('type') ?? '').trim())
  )
}

export function parseElements(html: string): Element[] {
  const elements: Element[] = []
  let inline: Element | undefined
  const handlers = {
    onopentag(name: string, attributes: Record<string, string>) {
      const element = { name, attributes: new Map(Object.entries(attributes)), text: '' }
      elements.push(element)
      inline = name === 'script' || name === 'style' ? element : undefined
    },
    ontext(text: string) {
      if (inline) inline.text += text
    },
    onclosetag: () => void (inline = undefined)
  }
  // Decoding takes half of the time, and no check needs the few values that contain entities.
  const parser = new Parser(handlers, { decodeEntities: false })
  // Browsers normalise newlines before they compute hashes for the Content-Security-Policy.
  parser.end(html.replace(/\r\n?/g, '\n'))
  return elements
}
