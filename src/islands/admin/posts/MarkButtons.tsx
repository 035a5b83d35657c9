import type { ReactNode } from 'react'
import { MARKDOWN_FORMATS, type MarkdownFormat } from '#lib/admin/markdown-format.ts'

const BUTTON_LABELS: Readonly<Record<MarkdownFormat, { name: string; symbol: ReactNode; shortcut?: string }>> = {
  bold: { name: 'Bold', symbol: <b>B</b>, shortcut: 'Control+B' },
  italic: { name: 'Italic', symbol: <i className="font-serif">I</i>, shortcut: 'Control+I' },
  heading: { name: 'Heading', symbol: 'H' },
  list: { name: 'List', symbol: '•' },
  numbers: { name: 'Numbered list', symbol: '1.' },
  quote: { name: 'Quote', symbol: '”' },
  link: { name: 'Link', symbol: <span className="text-sm">Link</span>, shortcut: 'Control+K' }
}

export function MarkButtons({ onMark }: { onMark: (mark: MarkdownFormat) => void }) {
  return (
    <div role="group" aria-label="Formatting" className="mb-2 flex flex-wrap gap-0.5 sm:gap-1">
      {MARKDOWN_FORMATS.map(mark => {
        const { name, symbol, shortcut } = BUTTON_LABELS[mark]
        return (
          <button
            key={mark}
            type="button"
            aria-label={name}
            title={name}
            aria-keyshortcuts={shortcut}
            onClick={() => onMark(mark)}
            className="target rounded-xl border border-ink/30 bg-paper hover:border-chilli hover:text-chilli"
          >
            <span aria-hidden="true">{symbol}</span>
          </button>
        )
      })}
    </div>
  )
}
