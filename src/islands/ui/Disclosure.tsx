import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Icon } from './Button.tsx'

interface DisclosureProps {
  /** Open if the page’s address ends with `#id`. */
  id?: string
  title: string
  children: (close: () => void) => ReactNode
}

export function Disclosure({ id, title, children }: DisclosureProps) {
  const [open, setOpen] = useState(false)
  const details = useRef<HTMLDetailsElement>(null)

  useEffect(() => {
    if (id === undefined || location.hash !== `#${id}` || !details.current) return
    details.current.open = true
    details.current.scrollIntoView()
  }, [id])

  const close = () => {
    const { current } = details
    if (!current) return
    current.open = false
    current.querySelector('summary')?.focus()
  }

  return (
    <details
      id={id}
      ref={details}
      onToggle={() => setOpen(details.current?.open === true)}
      className="group scroll-mt-20 border-t border-brass/40"
    >
      <summary className="flex min-h-14 cursor-pointer list-none items-center justify-between gap-4 font-semibold hover:text-chilli [&::-webkit-details-marker]:hidden">
        <h3 className="font-sans text-base">{title}</h3>
        <Icon name="plus" className="h-5 w-5 transition-[rotate] group-open:[rotate:45deg]" />
      </summary>
      {open && <div className="pb-6">{children(close)}</div>}
    </details>
  )
}
