import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useRef,
  useState
} from 'react'
import { applyFormat, MARKDOWN_FORMATS, type MarkdownFormat } from '#lib/admin/markdown-format.ts'
import { api } from '#lib/api.ts'
import { t, text } from '#lib/contract/texts.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Field.tsx'
import { useDebounced, useLoad } from '../../ui/hooks.ts'
import type { FieldState } from '../../ui/use-form.ts'

const VIEWS = [
  ['write', text('Write')],
  ['both', text('Side by side')],
  ['preview', text('Preview')]
] as const
type View = (typeof VIEWS)[number][0]

/** `key` is pressed with Ctrl or Cmd. */
const MARKS: Record<MarkdownFormat, { name: string; symbol?: ReactNode; key?: string }> = {
  bold: { name: text('Bold'), symbol: <b>B</b>, key: 'b' },
  italic: { name: text('Italic'), symbol: <i className="font-serif">I</i>, key: 'i' },
  heading: { name: text('Heading'), symbol: 'H' },
  list: { name: text('List'), symbol: '•' },
  numbers: { name: text('Numbered list'), symbol: '①' },
  quote: { name: text('Quote'), symbol: '”' },
  link: { name: text('Link'), key: 'k' }
}

interface MarkdownFieldProps extends Pick<
  ComponentProps<'textarea'>,
  'maxLength' | 'value' | 'onChange'
> {
  state: FieldState
  label: string
  hint?: string | undefined
  preview: (isSideBySide: boolean) => ReactNode
}

export function MarkdownField(props: MarkdownFieldProps) {
  const { state, label, hint, preview, ...textareaProps } = props
  const [selectedView, setSelectedView] = useState<View>(() =>
    matchMedia('(min-width: 64rem)').matches ? 'both' : 'write'
  )
  // An invalid text must be visible.
  const view = state.invalid && selectedView === 'preview' ? 'write' : selectedView
  const textarea = useRef<HTMLTextAreaElement>(null)
  const applyToField = (mark: MarkdownFormat) =>
    textarea.current && applyToTextarea(mark, textarea.current)
  const handleKeyDown = (event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    const mark = MARKDOWN_FORMATS.find(name => MARKS[name].key === event.key.toLowerCase())
    if (!mark) return
    event.preventDefault()
    applyToField(mark)
  }

  return (
    <div>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <label htmlFor={state.id} className="font-semibold">
          {label}
        </label>
        <div
          role="group"
          aria-label={t('View||form')}
          className="flex rounded-full border border-chilli/40 bg-paper"
        >
          {VIEWS.map(([id, name]) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === view}
              onClick={() => setSelectedView(id)}
              className={
                'min-h-target rounded-full px-4 font-semibold text-chilli ' +
                'aria-pressed:bg-chilli aria-pressed:text-paper ' +
                `${id === 'both' ? 'hidden lg:block' : ''}`
              }
            >
              {t(name)}
            </button>
          ))}
        </div>
      </div>
      <div className={view === 'both' ? 'grid gap-4 lg:grid-cols-2' : ''}>
        <div hidden={view === 'preview'} className="min-w-0">
          <MarkButtons onMark={applyToField} />
          {/* Above the field, because on a phone a long text covers the screen. */}
          <Problem state={state} />
          <textarea
            ref={textarea}
            id={state.id}
            name={state.name}
            defaultValue={state.initial}
            rows={16}
            {...textareaProps}
            aria-invalid={state.invalid}
            aria-describedby={`${state.describedBy} ${state.id}-hint`}
            onKeyDown={handleKeyDown}
            className={
              'field max-h-[70vh] min-h-[12rem] scroll-mt-40 [field-sizing:content] ' +
              'sm:min-h-[24rem]'
            }
          />
          <p id={`${state.id}-hint`} className="mt-1 text-sm text-ink/70">
            {t(
              'Leave an empty line between paragraphs. Formatting: ## heading, **bold**, ' +
                '*italic*, - list, [text](/products). HTML is shown as text.'
            )}{' '}
            {hint}
          </p>
        </div>
        {view !== 'write' && preview(view === 'both')}
      </div>
    </div>
  )
}

function applyToTextarea(mark: MarkdownFormat, textarea: HTMLTextAreaElement) {
  const { value, selectionStart, selectionEnd } = textarea
  const { from, to, text, select } = applyFormat(mark, value, selectionStart, selectionEnd)
  textarea.focus()
  textarea.setSelectionRange(from, to)
  // Deprecated, but only execCommand adds the change to the browser's undo history.
  if (!document.execCommand('insertText', false, text)) {
    textarea.setRangeText(text, from, to, 'end')
    textarea.dispatchEvent(new Event('input', { bubbles: true }))
  }
  textarea.setSelectionRange(...select)
}

function MarkButtons({ onMark }: { onMark: (mark: MarkdownFormat) => void }) {
  return (
    <div role="group" aria-label={t('Formatting')} className="mb-2 flex flex-wrap gap-0.5 sm:gap-1">
      {MARKDOWN_FORMATS.map(mark => {
        const { symbol, key } = MARKS[mark]
        const name = t(MARKS[mark].name)
        return (
          <button
            key={mark}
            type="button"
            aria-label={name}
            title={name}
            aria-keyshortcuts={key && `Control+${key.toUpperCase()}`}
            onClick={() => onMark(mark)}
            className={
              'target rounded-xl border border-ink/30 bg-paper hover:border-chilli ' +
              'hover:text-chilli'
            }
          >
            <span aria-hidden="true">{symbol ?? <span className="text-sm">{name}</span>}</span>
          </button>
        )
      })}
    </div>
  )
}

const DEBOUNCE_MS = 400

interface PreviewProps {
  content: string
  /** The server renders it, so that it matches the published page. */
  call?: `POST /admin/${'posts' | 'settings'}/preview`
  isSideBySide?: boolean
  children?: ReactNode
}

export function Preview(props: PreviewProps) {
  const { content, call = 'POST /admin/settings/preview', isSideBySide = false, children } = props
  const [result, reload] = useLoad(useDebounced(content, DEBOUNCE_MS), async () =>
    content.trim() === '' ? '' : (await api(call, { body: { content } })).html
  )
  const latestHtml = useRef('')
  if (result.state === 'ready') latestHtml.current = result.value
  return (
    <section
      aria-label={t('Preview')}
      tabIndex={0}
      className={
        'min-w-0 rounded-card border border-brass/60 p-4 sm:p-6 ' +
        `${isSideBySide ? 'overflow-auto lg:max-h-[calc(70vh+3.5rem)]' : 'mx-auto max-w-3xl'}`
      }
    >
      {result.state === 'failed' && (
        <p role="alert" className="mb-4">
          {t('The preview could not be updated.')} {result.error.message}{' '}
          <Button look="link" label={t('Try again')} onClick={() => void reload()} />
        </p>
      )}
      {content.trim() === '' && !children ? (
        <p className="text-ink/70">
          {t('Preview: start writing to see the text as readers will.')}
        </p>
      ) : (
        <>
          {children}
          {/* The server has sanitised it. The markup is the same as in components/Prose.astro. */}
          <div
            className="prose [&:not(:first-child)]:mt-6"
            onClick={openInNewTab}
            dangerouslySetInnerHTML={{ __html: latestHtml.current }}
          />
        </>
      )}
    </section>
  )
}

// Links open in a new tab, because a form on this page may have unsaved changes.
function openInNewTab(event: MouseEvent) {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link) return
  event.preventDefault()
  open(link.href, '_blank', 'noopener')
}
