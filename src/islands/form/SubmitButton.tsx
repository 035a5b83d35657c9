import { useHydrated } from '../ui/use-hydrated.ts'

interface SubmitButtonProps {
  label: string
  busyLabel: string
  busy: boolean
  secondary?: boolean
}

/** Uses aria-disabled while busy, because a disabled button would lose the focus. */
export function SubmitButton({ label, busyLabel, busy, secondary = false }: SubmitButtonProps) {
  const hydrated = useHydrated()
  return (
    <button
      type="submit"
      disabled={!hydrated}
      aria-disabled={busy}
      className={`aria-disabled:opacity-60 ${secondary ? 'button-quiet justify-self-start' : 'button-primary w-full'}`}
    >
      {busy ? busyLabel : label}
    </button>
  )
}
