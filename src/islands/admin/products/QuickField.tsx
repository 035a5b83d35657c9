import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ShopError, toErrorText } from '#lib/errors.ts'

interface QuickFieldProps {
  /** Enter moves the focus to the next field with the same `column`. */
  column: string
  label: string
  value: string
  prefix?: string
  inputMode: 'decimal' | 'numeric'
  parse: (text: string) => number | undefined
  invalidMessage: string
  save: (value: number) => Promise<void>
}

/** Saves on blur and on Enter. Escape restores the saved value. */
export function QuickField({
  column,
  label,
  value,
  prefix,
  inputMode,
  parse,
  invalidMessage,
  save
}: QuickFieldProps) {
  const [draftText, setDraftText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // A ref changes at once, unlike React state, so the blur that follows Enter does not save again.
  const unsavedText = useRef<string>(undefined)
  const id = useId()

  const changeText = (text: string | undefined) => {
    unsavedText.current = text
    setDraftText(text)
    setProblem(undefined)
  }

  const saveText = async (): Promise<boolean> => {
    const text = unsavedText.current
    if (text === undefined) return !busy
    const number = parse(text)
    if (number === undefined || number === parse(value)) {
      if (number === undefined) setProblem(invalidMessage)
      else changeText(undefined)
      return number !== undefined
    }
    unsavedText.current = undefined
    setBusy(true)
    try {
      await save(number)
      changeText(undefined)
      return true
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      unsavedText.current = text
      setProblem(toErrorText(error, ADMIN_MESSAGES.saveFailed))
      return false
    } finally {
      setBusy(false)
    }
  }

  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') changeText(undefined)
    if (event.key !== 'Enter') return
    event.preventDefault()
    const nextField = findNextField(field.current, column)
    void saveText().then(isSaved => isSaved && nextField?.focus())
  }

  return (
    <div className="xl:flex xl:flex-col xl:items-end">
      <div className="relative xl:w-28">
        {prefix && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute left-3 top-2.5 text-ink/70"
          >
            {prefix}
          </span>
        )}
        <input
          ref={field}
          data-quick={column}
          data-typing={draftText === undefined ? undefined : ''}
          inputMode={inputMode}
          autoComplete="off"
          enterKeyHint="next"
          aria-label={label}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}problem`}
          aria-busy={busy}
          readOnly={busy}
          value={draftText ?? value}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ target }) => changeText(target.value)}
          // Leaving the field must not save a refused value again. Enter does.
          onBlur={() => problem === undefined && void saveText()}
          onKeyDown={handleKeyDown}
          className={`field text-right tabular-nums aria-busy:opacity-60 ${prefix ? 'pl-8' : ''}`}
        />
        {/* On wide screens it floats, so that it does not widen the column and move the buttons of all rows. */}
        <p
          id={`${id}problem`}
          role="alert"
          className="mt-1 text-left text-sm font-semibold text-chilli empty:hidden xl:absolute xl:right-0 xl:top-full xl:z-10 xl:w-64 xl:rounded-xl xl:bg-paper xl:p-3 xl:shadow-lg"
        >
          {problem}
        </p>
      </div>
    </div>
  )
}

function findNextField(
  field: HTMLInputElement | null,
  column: string
): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>(`[data-quick=${column}]`)]
  return field ? fields[fields.indexOf(field) + 1] : undefined
}
