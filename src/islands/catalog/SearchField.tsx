import { useEffect, useId, useRef, useState } from 'react'
import { collapseSpaces } from '#lib/catalog-filter.ts'
import { paths } from '#lib/paths.ts'
import { flushQuery } from '../ui/history.ts'
import { Icon } from '../ui/Icon.tsx'

export function SearchField({ q, onType }: { q: string; onType: (q: string) => void }) {
  const [typed, setTyped] = useState(q)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  const changeText = (text: string) => {
    setTyped(text)
    onType(collapseSpaces(text))
  }

  // Apply the text that was typed before hydration.
  useEffect(() => {
    if (field.current?.value) changeText(field.current.value)
  }, [])

  return (
    <form
      role="search"
      action={paths.products}
      className="relative flex-1"
      onSubmit={event => {
        event.preventDefault()
        flushQuery()
      }}
    >
      <label htmlFor={id} className="sr-only">
        Search products
      </label>
      <Icon name="search" className="pointer-events-none absolute left-4 top-3 h-5 w-5 text-ink/70" />
      <input
        ref={field}
        id={id}
        type="search"
        name="q"
        enterKeyHint="search"
        placeholder="Search products"
        className="field rounded-full pl-12"
        // Show the text as typed, with its extra spaces, unless the URL contains another search, e.g. after Back.
        value={collapseSpaces(typed) === q ? typed : q}
        onChange={event => changeText(event.target.value)}
        onBlur={flushQuery}
      />
    </form>
  )
}
