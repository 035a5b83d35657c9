import { Icon } from './Icon.tsx'

interface QuantityStepperProps {
  label: string
  value: number
  min: number
  onChange: (value: number) => void
}

/** The plus button is never disabled, because `onChange` tells the shopper about the maximum. */
export function QuantityStepper({ label, value, min, onChange }: QuantityStepperProps) {
  const button = 'target rounded-full disabled:text-ink/30 enabled:hover:bg-cream-deep'
  return (
    <div role="group" aria-label={label} className="inline-flex items-center rounded-full border border-ink/50">
      <button
        type="button"
        className={button}
        aria-label="Decrease quantity"
        disabled={value <= min}
        onClick={() => onChange(value - 1)}
      >
        <Icon name="minus" />
      </button>
      <output aria-live="off" className="min-w-8 text-center font-semibold tabular-nums">
        {value}
      </output>
      <button type="button" className={button} aria-label="Increase quantity" onClick={() => onChange(value + 1)}>
        <Icon name="plus" />
      </button>
    </div>
  )
}
