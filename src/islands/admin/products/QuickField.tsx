import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ShopError, errorText } from '#lib/shop-error.ts'

interface QuickFieldProps {
  /** Enter moves to the next field of the same column. */
  column: string
  label: string
  value: string
  prefix?: string
  inputMode: 'decimal' | 'numeric'
  parse: (typed: string) => number | undefined
  invalidMessage: string
  save: (value: number) => Promise<void>
}

/** Saves on blur or Enter; Escape restores the old value. */
export function QuickField({ column, label, value, prefix, inputMode, parse, invalidMessage, save }: QuickFieldProps) {
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // The unsaved text. Enter saves and then moves the focus, and that blur must not save again.
  const unsaved = useRef<string>(undefined)
  const id = useId()

  const type = (text: string | undefined) => {
    unsaved.current = text
    setTyped(text)
    setProblem(undefined)
  }

  const finish = async (): Promise<boolean> => {
    const text = unsaved.current
    if (text === undefined) return !busy
    const number = parse(text)
    if (number === undefined || number === parse(value)) {
      if (number === undefined) setProblem(invalidMessage)
      else type(undefined)
      return number !== undefined
    }
    unsaved.current = undefined
    setBusy(true)
    try {
      await save(number)
      type(undefined)
      return true
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      unsaved.current = text
      setProblem(errorText(error, ADMIN_MESSAGES.saveFailed))
      return false
    } finally {
      setBusy(false)
    }
  }

  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') type(undefined)
    if (event.key !== 'Enter') return
    event.preventDefault()
    const next = nextOf(field.current, column)
    void finish().then(done => done && next?.focus())
  }

  return (
    <div className="md:flex md:flex-col md:items-end">
      <div className="relative md:w-28">
        {prefix && (
          <span aria-hidden="true" className="pointer-events-none absolute left-3 top-2.5 text-ink/70">
            {prefix}
          </span>
        )}
        <input
          ref={field}
          data-quick={column}
          data-typing={typed === undefined ? undefined : ''}
          inputMode={inputMode}
          autoComplete="off"
          enterKeyHint="next"
          aria-label={label}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}problem`}
          aria-busy={busy}
          readOnly={busy}
          value={typed ?? value}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ target }) => type(target.value)}
          onBlur={() => void finish()}
          onKeyDown={press}
          className={`field text-right tabular-nums aria-busy:opacity-60 ${prefix ? 'pl-8' : ''}`}
        />
      </div>
      <p id={`${id}problem`} role="alert" className="mt-1 max-w-[16rem] text-sm font-semibold text-chilli empty:hidden">
        {problem}
      </p>
    </div>
  )
}

function nextOf(field: HTMLInputElement | null, column: string): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>(`[data-quick=${column}]`)]
  return field ? fields[fields.indexOf(field) + 1] : undefined
}
