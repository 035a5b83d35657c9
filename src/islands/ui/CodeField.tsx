import type { ClipboardEvent, CSSProperties, InputEvent } from 'react'
import { removeNonDigits } from '#lib/account/forms.ts'
import { CODE_LENGTH } from '#lib/constants.ts'
import { Problem } from './Field.tsx'
import type { FieldState } from './use-form.ts'

// Width of the slot for one digit. Six slots fit into a card on the narrowest phone.
const SLOT_WIDTH = { '--slot-width': 'min(3.5rem, (100vw - 4.5rem) / 6)' } as CSSProperties

interface CodeFieldProps {
  state: FieldState
  onComplete?: () => void
}

/** One input that looks like six, so that pasting, autofill and screen readers work. */
export function CodeField({ state, onComplete }: CodeFieldProps) {
  const handleInput = ({
    currentTarget,
    nativeEvent: { data, inputType }
  }: InputEvent<HTMLInputElement>) => {
    const typed = removeNonDigits(currentTarget.value)
    const digits = typed.slice(0, CODE_LENGTH)
    if (digits !== currentTarget.value) currentTarget.value = digits
    const isByHand = (data?.length === 1 && /\d/.test(data)) || inputType === 'insertFromPaste'
    // After this event, when the form knows the new value. A further digit must not send a wrong
    // code again.
    if (isByHand && typed.length === CODE_LENGTH && onComplete) queueMicrotask(onComplete)
  }
  // Select all text before a complete code is pasted, so that the code replaces the text.
  const selectBeforePaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const digits = removeNonDigits(event.clipboardData.getData('text'))
    if (digits.length === CODE_LENGTH) event.currentTarget.select()
  }

  return (
    <div style={SLOT_WIDTH}>
      <label htmlFor={state.id} className="mb-1 block font-semibold">
        One-time code
      </label>
      {/* With `overflow: hidden`, this box would scroll when the cursor is after the last digit. */}
      <div className="relative h-14 w-[calc(var(--slot-width)*6)] overflow-hidden overflow-clip rounded-xl outline-[3px] outline-offset-2 outline-chilli focus-within:outline">
        <div aria-hidden="true" className="absolute inset-0 grid grid-cols-6">
          {Array.from({ length: CODE_LENGTH }, (_, slot) => (
            <span
              key={slot}
              className={`mx-1 rounded-xl bg-paper ${state.invalid ? 'border-2 border-chilli' : 'border border-ink/50'}`}
            />
          ))}
        </div>
        {/* One slot wider than the box, or the space after the last digit would scroll it. */}
        <input
          id={state.id}
          name={state.name}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          enterKeyHint="go"
          aria-invalid={state.invalid}
          aria-describedby={state.describedBy}
          onInput={handleInput}
          onPaste={selectBeforePaste}
          className="absolute inset-y-0 left-0 w-[calc(var(--slot-width)*7)] bg-transparent pl-[calc((var(--slot-width)-1ch)/2)] text-xl tabular-nums tracking-[calc(var(--slot-width)-1ch)] outline-none"
        />
      </div>
      <Problem state={state} />
    </div>
  )
}
