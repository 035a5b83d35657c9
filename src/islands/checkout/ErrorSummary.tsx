import { useEffect, type Ref } from 'react'
import { CHECKOUT_FIELDS, CHECKOUT_LABELS, type CheckoutField } from '#lib/checkout/checkout-form.ts'
import type { FieldState } from '../form/use-form.ts'

interface ErrorSummaryProps {
  field: (name: CheckoutField) => FieldState
  ref: Ref<HTMLDivElement>
}

/** Everything that is wrong, each a way to its field; there when it is more than one thing. */
export function ErrorSummary({ field, ref }: ErrorSummaryProps) {
  const wrong = CHECKOUT_FIELDS.filter(name => field(name).invalid)
  useErrorInTitle(wrong.length > 0)
  if (wrong.length < 2) return null

  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-labelledby="checkout-problems"
      className="rounded-card border-2 border-chilli bg-paper p-4 sm:p-6"
    >
      <h2 id="checkout-problems" className="text-xl text-chilli">
        Please check {wrong.length} fields
      </h2>
      <ul className="mt-2">
        {wrong.map(name => (
          <li key={name}>
            <WayTo {...field(name)} label={CHECKOUT_LABELS[name]} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function WayTo({ id, problem, label }: FieldState & { label: string }) {
  return (
    <a
      href={`#${id}`}
      className="link inline-flex min-h-target items-center"
      onClick={event => {
        event.preventDefault()
        document.getElementById(id)?.focus()
      }}
    >
      {problem ?? label}
    </a>
  )
}

/** The title is what a screen reader says first. */
function useErrorInTitle(wrong: boolean): void {
  useEffect(() => {
    if (!wrong) return
    const { title } = document
    document.title = `Error: ${title}`
    return () => {
      document.title = title
    }
  }, [wrong])
}
