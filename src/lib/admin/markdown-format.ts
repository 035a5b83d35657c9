import { t } from '../contract/texts.ts'

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

interface Edit {
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
  const left = from - sign.length
  if (isOn) return toEdit(left, to + sign.length, selected, left, selected.length)
  const inner = selected || t('text')
  return toEdit(from, to, `${sign}${inner}${sign}`, from + sign.length, inner.length)
}

function toEdit(from: number, to: number, text: string, first: number, length: number): Edit {
  return { from, to, text, select: [first, first + length] }
}

function insertLink(text: string, start: number, end: number): Edit {
  const [from, to] = trimSelection(text, start, end)
  const selected = text.slice(from, to)
  const placeholder = t('text')
  if (/^(https?:\/\/|\/)\S*$/.test(selected))
    return toEdit(from, to, `[${placeholder}](${selected})`, from + 1, placeholder.length)
  const label = selected || placeholder
  const link = `[${label}](${URL_PLACEHOLDER})`
  return toEdit(from, to, link, from + label.length + 3, URL_PLACEHOLDER.length)
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
  const toPrefix = (index: number) =>
    format === 'numbers' ? `${index + 1}. ` : LINE_PREFIXES[format]
  const changed = isOn ? withoutPrefix : withoutPrefix.map((line, index) => toPrefix(index) + line)
  const newText = changed.join('\n')
  const { length } = newText
  return start === end
    ? toEdit(from, to, newText, from + length, 0)
    : toEdit(from, to, newText, from, length)
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
