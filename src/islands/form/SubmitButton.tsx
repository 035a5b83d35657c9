import { useHydrated } from '../ui/use-hydrated.ts'

interface SubmitButtonProps {
  label: string
  /** Said while it is being done. */
  busyLabel: string
  busy: boolean
  /** Beside something more important. */
  quiet?: boolean
}

/** Sends its form. While that takes, it keeps the focus and does nothing; before the page came to life it can't. */
export function SubmitButton({ label, busyLabel: doing, busy, quiet = false }: SubmitButtonProps) {
  const hydrated = useHydrated()
  return (
    <button
      type="submit"
      disabled={!hydrated}
      aria-disabled={busy}
      className={`aria-disabled:opacity-60 ${quiet ? 'button-quiet justify-self-start' : 'button-primary w-full'}`}
    >
      {busy ? doing : label}
    </button>
  )
}
