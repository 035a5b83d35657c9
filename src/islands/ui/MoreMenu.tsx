import { useEffect, useRef, useState, type ReactNode } from 'react'
import { t } from '#lib/contract/texts.ts'

export function MoreMenu({ children }: { children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node)) setIsOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    return () => document.removeEventListener('pointerdown', closeOutside)
  }, [isOpen])

  return (
    <div
      ref={menu}
      className="relative"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !isOpen) return
        setIsOpen(false)
        button.current?.focus()
      }}
    >
      <button
        ref={button}
        type="button"
        aria-label={t('More tools')}
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="target rounded-full text-xl font-semibold hover:bg-cream-deep md:hidden"
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div
        onClick={() => setIsOpen(false)}
        className={`absolute right-0 top-full z-10 w-max min-w-[12rem] flex-col gap-2 rounded-card bg-paper p-2 shadow-lg md:static md:flex md:w-auto md:flex-row md:gap-3 md:bg-transparent md:p-0 md:shadow-none ${isOpen ? 'flex' : 'hidden'}`}
      >
        {children}
      </div>
    </div>
  )
}
