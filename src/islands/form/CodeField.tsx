import type { CSSProperties, ClipboardEvent, InputEvent } from 'react'
import { codeDigits } from '#lib/account-forms.ts'
import { CODE_LENGTH } from '#lib/constants.ts'
import { Problem } from './Field.tsx'
import type { FieldState } from './use-form.ts'

// As wide as there is room for, six in a row even in a card on the narrowest phone.
const PITCH = { '--pitch': 'min(3.5rem, (100vw - 4.5rem) / 6)' } as CSSProperties

/**
 * One real field drawn as six slots: pasting, filling in by the phone, arrow keys and screen readers work as in any other.
 * Its digits are as far apart as the slots behind them.
 */
export function CodeField({ state, label }: { state: FieldState; label: string }) {
  const keepDigits = ({ currentTarget }: InputEvent<HTMLInputElement>) => {
    const digits = codeDigits(currentTarget.value).slice(0, CODE_LENGTH)
    if (digits !== currentTarget.value) currentTarget.value = digits
  }
  // A whole code takes the place of whatever stood there, wherever the cursor is.
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const digits = codeDigits(event.clipboardData.getData('text'))
    if (digits.length === CODE_LENGTH) event.currentTarget.select()
  }

  return (
    <div style={PITCH}>
      <label htmlFor={state.id} className="mb-1 block font-semibold">
        {label}
      </label>
      {/* Clipped, not only hidden: what is hidden is scrolled when the cursor stands after the last digit. */}
      <div className="relative h-14 w-[calc(var(--pitch)*6)] overflow-hidden overflow-clip rounded-xl outline-[3px] outline-offset-2 outline-chilli focus-within:outline">
        <div aria-hidden="true" className="absolute inset-0 grid grid-cols-6">
          {Array.from({ length: CODE_LENGTH }, (_, slot) => (
            <span
              key={slot}
              className={`mx-1 rounded-xl bg-paper ${state.invalid ? 'border-2 border-chilli' : 'border border-ink/50'}`}
            />
          ))}
        </div>
        {/* A slot wider than its box, so that the space after the last digit does not make it scroll. */}
        <input
          id={state.id}
          name={state.name}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="go"
          aria-invalid={state.invalid}
          aria-describedby={state.describedBy}
          onInput={keepDigits}
          onPaste={paste}
          className="absolute inset-y-0 left-0 w-[calc(var(--pitch)*7)] bg-transparent pl-[calc((var(--pitch)-1ch)/2)] text-xl tabular-nums tracking-[calc(var(--pitch)-1ch)] outline-none"
        />
      </div>
      <Problem state={state} />
    </div>
  )
}
