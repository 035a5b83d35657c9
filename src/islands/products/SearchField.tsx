import { useEffect, useId, useRef, useState } from 'react'
import { tidy } from '#lib/catalog-filter.ts'
import { paths } from '#lib/paths.ts'
import { settleQuery } from '../ui/address.ts'
import { Icon } from '../ui/Icon.tsx'

/** Searches while one types; without JavaScript it is a form that asks the same address. */
export function SearchField({ q, onType }: { q: string; onType: (q: string) => void }) {
  const [typed, setTyped] = useState(q)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()

  const type = (text: string) => {
    setTyped(text)
    onType(tidy(text))
  }

  // Someone may have typed before the page came to life.
  useEffect(() => {
    if (field.current?.value) type(field.current.value)
  }, [])

  return (
    <form
      role="search"
      action={paths.products}
      className="relative flex-1"
      onSubmit={event => {
        event.preventDefault()
        settleQuery()
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
        // What was typed keeps its spaces, as long as it is what the address says.
        value={tidy(typed) === q ? typed : q}
        onChange={event => type(event.target.value)}
        onBlur={settleQuery}
      />
    </form>
  )
}
