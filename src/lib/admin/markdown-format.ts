export const MARKDOWN_FORMATS = [
  'bold',
  'italic',
  'heading',
  'list',
  'numbers',
  'quote',
  'link'
] as const
export type MarkdownFormat = (typeof MARKDOWN_FORMATS)[number]

export interface Edit {
  from: number
  to: number
  text: string
  select: readonly [from: number, to: number]
}

const INLINE_SIGNS = { bold: '**', italic: '*' } as const
const LINE_PREFIXES = { heading: '## ', list: '- ', numbers: '1. ', quote: '> ' } as const
const ANY_PREFIX = /^(#{1,6} |[-*] |\d+\. |> )/
const URL_PLACEHOLDER = 'https://'

export function applyFormat(
  format: MarkdownFormat,
  text: string,
  start: number,
  end: number
): Edit {
  if (format === 'bold' || format === 'italic')
    return toggleInline(INLINE_SIGNS[format], text, start, end)
  if (format === 'link') return insertLink(text, start, end)
  return toggleLines(format, text, start, end)
}

function toggleInline(sign: string, text: string, start: number, end: number): Edit {
  const [from, to] = trimSelection(text, start, end)
  const selected = text.slice(from, to)
  const stars = /\**$/.exec(text.slice(0, from))?.[0].length ?? 0
  const isOn = (sign.length === 2 ? stars >= 2 : stars % 2 === 1) && text.startsWith(sign, to)
  if (isOn) {
    const left = from - sign.length
    return {
      from: left,
      to: to + sign.length,
      text: selected,
      select: [left, left + selected.length]
    }
  }
  const inner = selected || 'text'
  const first = from + sign.length
  return { from, to, text: `${sign}${inner}${sign}`, select: [first, first + inner.length] }
}

function insertLink(text: string, start: number, end: number): Edit {
  const [from, to] = trimSelection(text, start, end)
  const selected = text.slice(from, to)
  if (/^(https?:\/\/|\/)\S*$/.test(selected)) {
    return { from, to, text: `[text](${selected})`, select: [from + 1, from + 5] }
  }
  const linkText = selected || 'text'
  const first = from + linkText.length + 3
  return {
    from,
    to,
    text: `[${linkText}](${URL_PLACEHOLDER})`,
    select: [first, first + URL_PLACEHOLDER.length]
  }
}

function toggleLines(
  format: keyof typeof LINE_PREFIXES,
  text: string,
  start: number,
  end: number
): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', Math.max(start, end - 1))
  const to = next < 0 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const isOn = lines.every(line => findLineFormat(line) === format)
  const withoutPrefix = lines.map(line => line.replace(ANY_PREFIX, ''))
  const changed = isOn
    ? withoutPrefix
    : withoutPrefix.map(
        (line, index) => (format === 'numbers' ? `${index + 1}. ` : LINE_PREFIXES[format]) + line
      )
  const newText = changed.join('\n')
  return {
    from,
    to,
    text: newText,
    select:
      start === end ? [from + newText.length, from + newText.length] : [from, from + newText.length]
  }
}

function findLineFormat(line: string): keyof typeof LINE_PREFIXES | undefined {
  const sign = ANY_PREFIX.exec(line)?.[0] ?? ''
  if (sign.startsWith('#')) return 'heading'
  if (/^\d/.test(sign)) return 'numbers'
  if (sign === '> ') return 'quote'
  return sign === '' ? undefined : 'list'
}

/** Removes spaces at both ends of the selection, because Markdown ignores `** bold **`. */
function trimSelection(text: string, start: number, end: number): [number, number] {
  const selected = text.slice(start, end)
  if (selected.trim() === '') return [start, start]
  return [
    start + selected.length - selected.trimStart().length,
    end - (selected.length - selected.trimEnd().length)
  ]
}
