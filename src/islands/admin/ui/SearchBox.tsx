import { useId } from 'react'
import { Icon } from '../../ui/Icon.tsx'

interface SearchBoxProps {
  label: string
  value: string
  onSearch: (text: string) => void
}

export function SearchBox({ label, value, onSearch }: SearchBoxProps) {
  const id = useId()
  return (
    <form
      role="search"
      aria-label={label}
      className="relative min-w-0 flex-1 basis-full sm:basis-0"
      onSubmit={event => event.preventDefault()}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Icon name="search" className="pointer-events-none absolute left-4 top-3 h-5 w-5 text-ink/70" />
      <input
        id={id}
        type="search"
        enterKeyHint="search"
        placeholder={label}
        className="field rounded-full pl-12"
        value={value}
        onChange={event => onSearch(event.target.value)}
      />
    </form>
  )
}
