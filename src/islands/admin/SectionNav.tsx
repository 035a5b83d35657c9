import { useRef, useState } from 'react'
import { SECTIONS, type SectionId } from '#lib/admin/sections.ts'
import { Icon } from '../ui/Icon.tsx'

export function SectionNav({ section }: { section: SectionId }) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const current = SECTIONS.find(({ id }) => id === section)

  return (
    <nav
      aria-label="Administration"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return
        setIsOpen(false)
        button.current?.focus()
      }}
    >
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls="admin-sections"
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-12 w-full items-center justify-between rounded-xl border border-ink/50 bg-paper px-4 font-semibold lg:hidden"
      >
        <span>
          <span className="sr-only">Administration, current page: </span>
          {current?.label}
        </span>
        <Icon name={isOpen ? 'close' : 'menu'} />
      </button>
      <ul
        id="admin-sections"
        className={`mt-2 gap-1 rounded-card bg-paper p-2 shadow-soft lg:sticky lg:top-24 lg:mt-0 lg:grid lg:bg-transparent lg:p-0 lg:shadow-none ${isOpen ? 'grid' : 'hidden'}`}
      >
        {SECTIONS.map(({ id, label, path }) => (
          <li key={id}>
            <a
              href={path}
              aria-current={id === section ? 'page' : undefined}
              className="flex min-h-target items-center rounded-xl px-4 font-semibold hover:bg-cream-deep aria-[current=page]:bg-cream-deep aria-[current=page]:text-chilli"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
