import { useEffect, type Ref } from 'react'
import { CHECKOUT_FIELDS, CHECKOUT_LABELS, type CheckoutField } from '#lib/checkout/checkout-form.ts'
import type { FieldState } from '../ui/use-form.ts'

interface ErrorSummaryProps {
  field: (name: CheckoutField) => FieldState
  ref: Ref<HTMLDivElement>
}

export function ErrorSummary({ field, ref }: ErrorSummaryProps) {
  const invalid = CHECKOUT_FIELDS.filter(name => field(name).invalid)
  useErrorInTitle(invalid.length > 0)
  if (invalid.length < 2) return null

  return (
    <div
      ref={ref}
      tabIndex={-1}
      role="group"
      aria-labelledby="checkout-problems"
      className="rounded-card border-2 border-chilli bg-paper p-4 sm:p-6"
    >
      <h2 id="checkout-problems" className="text-xl text-chilli">
        Please check {invalid.length} fields
      </h2>
      <ul className="mt-2">
        {invalid.map(name => (
          <li key={name}>
            <ProblemLink {...field(name)} label={CHECKOUT_LABELS[name]} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function ProblemLink({ id, problem, label }: FieldState & { label: string }) {
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

/** Puts "Error" into the document title, because screen readers announce the title first. */
function useErrorInTitle(hasError: boolean): void {
  useEffect(() => {
    if (!hasError) return
    const { title } = document
    document.title = `Error: ${title}`
    return () => {
      document.title = title
    }
  }, [hasError])
}
