import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { ShopError, errorText } from '#lib/shop-error.ts'

interface QuickFieldProps {
  /** Enter goes on to the next field of the same column. */
  column: string
  label: string
  value: string
  prefix?: string
  inputMode: 'decimal' | 'numeric'
  read: (typed: string) => number | undefined
  /** Said of what can't be read. */
  wrong: string
  /** Throws ShopError. */
  save: (value: number) => Promise<void>
}

/** A number that is changed where it stands: saved when it is left or by Enter, as it was by Escape. */
export function QuickField({ column, label, value, prefix, inputMode, read, wrong, save }: QuickFieldProps) {
  const [typed, setTyped] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // What Enter has saved must not be saved again by the focus that moves on.
  const waiting = useRef<string>(undefined)
  const id = useId()

  const type = (text: string | undefined) => {
    waiting.current = text
    setTyped(text)
    setProblem(undefined)
  }

  const finish = async (): Promise<boolean> => {
    const text = waiting.current
    if (text === undefined) return !busy
    const number = read(text)
    if (number === undefined || number === read(value)) {
      if (number === undefined) setProblem(wrong)
      else type(undefined)
      return number !== undefined
    }
    waiting.current = undefined
    setBusy(true)
    try {
      await save(number)
      type(undefined)
      return true
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      waiting.current = text
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
