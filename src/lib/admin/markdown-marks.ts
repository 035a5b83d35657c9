export const MARKS = ['bold', 'italic', 'heading', 'list', 'numbers', 'quote', 'link'] as const
export type Mark = (typeof MARKS)[number]

/** Replace the text between `from` and `to`, then select `select`. */
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

export function applyMark(mark: Mark, text: string, start: number, end: number): Edit {
  if (mark === 'bold' || mark === 'italic') return toggleInline(INLINE_SIGNS[mark], text, start, end)
  if (mark === 'link') return insertLink(text, start, end)
  return toggleLines(mark, text, start, end)
}

function toggleInline(sign: string, text: string, start: number, end: number): Edit {
  const [from, to] = trimSelection(text, start, end)
  const words = text.slice(from, to)
  const stars = /\**$/.exec(text.slice(0, from))?.[0].length ?? 0
  const isOn = (sign.length === 2 ? stars >= 2 : stars % 2 === 1) && text.startsWith(sign, to)
  if (isOn) {
    const left = from - sign.length
    return { from: left, to: to + sign.length, text: words, select: [left, left + words.length] }
  }
  const inner = words || 'text'
  const first = from + sign.length
  return { from, to, text: `${sign}${inner}${sign}`, select: [first, first + inner.length] }
}

/** Selects the part that is still to be typed: the address, or the text if an address was selected. */
function insertLink(text: string, start: number, end: number): Edit {
  const [from, to] = trimSelection(text, start, end)
  const chosen = text.slice(from, to)
  if (/^(https?:\/\/|\/)\S*$/.test(chosen)) {
    return { from, to, text: `[text](${chosen})`, select: [from + 1, from + 5] }
  }
  const words = chosen || 'text'
  const first = from + words.length + 3
  return { from, to, text: `[${words}](${URL_PLACEHOLDER})`, select: [first, first + URL_PLACEHOLDER.length] }
}

function toggleLines(mark: keyof typeof LINE_PREFIXES, text: string, start: number, end: number): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', Math.max(start, end - 1))
  const to = next < 0 ? text.length : next
  const chosen = text.slice(from, to).split('\n')
  const isOn = chosen.every(line => markOfLine(line) === mark)
  const withoutPrefix = chosen.map(line => line.replace(ANY_PREFIX, ''))
  const changed = isOn
    ? withoutPrefix
    : withoutPrefix.map((line, at) => (mark === 'numbers' ? `${at + 1}. ` : LINE_PREFIXES[mark]) + line)
  const made = changed.join('\n')
  return {
    from,
    to,
    text: made,
    select: start === end ? [from + made.length, from + made.length] : [from, from + made.length]
  }
}

function markOfLine(line: string): keyof typeof LINE_PREFIXES | undefined {
  const sign = ANY_PREFIX.exec(line)?.[0] ?? ''
  if (sign.startsWith('#')) return 'heading'
  if (/^\d/.test(sign)) return 'numbers'
  if (sign === '> ') return 'quote'
  return sign === '' ? undefined : 'list'
}

/** A double click also selects the space after a word, and Markdown ignores a mark next to a space. */
function trimSelection(text: string, start: number, end: number): [number, number] {
  const chosen = text.slice(start, end)
  if (chosen.trim() === '') return [start, start]
  return [start + chosen.length - chosen.trimStart().length, end - (chosen.length - chosen.trimEnd().length)]
}
