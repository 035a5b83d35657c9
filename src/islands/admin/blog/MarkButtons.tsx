import type { ReactNode } from 'react'
import { MARKS, type Mark } from '#lib/admin/markdown-marks.ts'

const BUTTON_LABELS: Readonly<Record<Mark, { name: string; face: ReactNode; keys?: string }>> = {
  bold: { name: 'Bold', face: <b>B</b>, keys: 'Control+B' },
  italic: { name: 'Italic', face: <i className="font-serif">I</i>, keys: 'Control+I' },
  heading: { name: 'Heading', face: 'H' },
  list: { name: 'List', face: '•' },
  numbers: { name: 'Numbered list', face: '1.' },
  quote: { name: 'Quote', face: '”' },
  link: { name: 'Link', face: <span className="text-sm">Link</span>, keys: 'Control+K' }
}

export function MarkButtons({ onMark }: { onMark: (mark: Mark) => void }) {
  return (
    <div role="group" aria-label="Formatting" className="mb-2 flex flex-wrap gap-0.5 sm:gap-1">
      {MARKS.map(mark => {
        const { name, face, keys } = BUTTON_LABELS[mark]
        return (
          <button
            key={mark}
            type="button"
            aria-label={name}
            title={name}
            aria-keyshortcuts={keys}
            onClick={() => onMark(mark)}
            className="target rounded-xl border border-ink/30 bg-paper hover:border-chilli hover:text-chilli"
          >
            <span aria-hidden="true">{face}</span>
          </button>
        )
      })}
    </div>
  )
}
