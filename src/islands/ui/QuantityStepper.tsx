import { Icon } from './Icon.tsx'

interface QuantityStepperProps {
  /** What is counted, for those who don't see where the buttons stand. */
  label: string
  value: number
  least: number
  onChange: (value: number) => void
}

/** Minus, a number, plus. There is no upper end here: who says no to more can say why. */
export function QuantityStepper({ label, value, least, onChange }: QuantityStepperProps) {
  const button = 'target rounded-full disabled:text-ink/30 enabled:hover:bg-cream-deep'
  return (
    <div role="group" aria-label={label} className="inline-flex items-center rounded-full border border-ink/50">
      <button
        type="button"
        className={button}
        aria-label="Decrease quantity"
        disabled={value <= least}
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
