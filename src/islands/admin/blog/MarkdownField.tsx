import { useRef, useState, type KeyboardEvent } from 'react'
import { POST_LIMITS } from '#lib/admin/limits.ts'
import { applyMark, type Mark } from '#lib/admin/markdown-marks.ts'
import type { PostValues } from '#lib/admin/post-form.ts'
import type { Picture } from '#lib/contract/values.ts'
import { Problem } from '../../form/Field.tsx'
import type { FieldState } from '../../form/use-form.ts'
import { MarkButtons } from './MarkButtons.tsx'
import { Preview } from './Preview.tsx'

const VIEWS = { write: 'Write', both: 'Side by side', preview: 'Preview' } as const
type View = keyof typeof VIEWS

const KEYS: Readonly<Record<string, Mark>> = { b: 'bold', i: 'italic', k: 'link' }

interface MarkdownFieldProps {
  state: FieldState
  initial: string
  /** All current values of the form, for the preview. */
  typed: PostValues
  picture: Picture | undefined
}

export function MarkdownField({ state, initial, typed, picture }: MarkdownFieldProps) {
  const [chosen, setChosen] = useState<View>(() => (matchMedia('(min-width: 64rem)').matches ? 'both' : 'write'))
  // An invalid text must be visible to be corrected.
  const view = state.invalid && chosen === 'preview' ? 'write' : chosen
  const area = useRef<HTMLTextAreaElement>(null)
  const mark = (kind: Mark) => area.current && apply(kind, area.current)
  const press = (event: KeyboardEvent) => {
    const kind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && KEYS[event.key.toLowerCase()]
    if (!kind) return
    event.preventDefault()
    mark(kind)
  }

  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <label htmlFor={state.id} className="font-semibold">
          Text
        </label>
        <ViewButtons view={view} onChoose={setChosen} />
      </div>
      <div className={view === 'both' ? 'grid gap-4 lg:grid-cols-2' : ''}>
        <div hidden={view === 'preview'} className="min-w-0">
          <MarkButtons onMark={mark} />
          <textarea
            ref={area}
            id={state.id}
            name={state.name}
            defaultValue={initial}
            rows={16}
            maxLength={POST_LIMITS.content}
            aria-invalid={state.invalid}
            aria-describedby={`${state.describedBy} ${state.id}-hint`}
            onKeyDown={press}
            className="field max-h-[70vh] min-h-[24rem] [field-sizing:content]"
          />
          <Problem state={state} />
          <p id={`${state.id}-hint`} className="mt-1 text-sm text-ink/70">
            Leave an empty line between paragraphs. ## heading, **bold**, *italic*, - list, [text](/products). HTML is
            shown as text.
          </p>
        </div>
        {view !== 'write' && <Preview typed={typed} picture={picture} isBeside={view === 'both'} />}
      </div>
    </div>
  )
}

function ViewButtons({ view, onChoose }: { view: View; onChoose: (view: View) => void }) {
  return (
    <div role="group" aria-label="View" className="flex rounded-full border border-chilli/40 bg-paper">
      {(Object.keys(VIEWS) as View[]).map(id => (
        <button
          key={id}
          type="button"
          aria-pressed={id === view}
          onClick={() => onChoose(id)}
          className={`min-h-target rounded-full px-4 font-semibold text-chilli aria-pressed:bg-chilli aria-pressed:text-paper ${id === 'both' ? 'hidden lg:block' : ''}`}
        >
          {VIEWS[id]}
        </button>
      ))}
    </div>
  )
}

function apply(mark: Mark, area: HTMLTextAreaElement): void {
  const { from, to, text, select } = applyMark(mark, area.value, area.selectionStart, area.selectionEnd)
  area.focus()
  area.setSelectionRange(from, to)
  // Deprecated, but the only way to keep the change in the browser's undo history.
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text, from, to, 'end')
    area.dispatchEvent(new Event('input', { bubbles: true }))
  }
  area.setSelectionRange(...(select as [number, number]))
}
