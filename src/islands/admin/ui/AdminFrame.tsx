import { useRef, useState, type ReactNode } from 'react'
import { SECTIONS, type SectionId } from '#lib/admin/messages.ts'
import type { StoredUser } from '#lib/stores/session.ts'
import { useGuard } from '../../account/use-session.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { NotLiveBar } from '../overview/NotLiveBar.tsx'
import { PublishingBar } from '../publishing/PublishingBar.tsx'
import { UndoBar } from './UndoBar.tsx'
import { VerificationDialog } from './VerificationDialog.tsx'

interface AdminFrameProps {
  section: SectionId
  action?: ReactNode
  children: (user: StoredUser) => ReactNode
}

/** Nothing of the frame is shown before the server has confirmed that the user is an administrator. */
export function AdminFrame({ section, action, children }: AdminFrameProps) {
  const session = useGuard({ role: 'admin' })
  const current = SECTIONS.find(({ id }) => id === section)
  if (session.state !== 'authenticated') return <Loading />
  return (
    <div className="gap-8 pb-24 pt-4 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-8">
      <SectionNav current={current} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4 lg:pt-0">
          <h1 className="text-2xl">{TITLES[section] ?? current?.label}</h1>
          {action}
        </div>
        <NotLiveBar />
        {section !== 'publishing' && <PublishingBar />}
        {children(session.user)}
      </div>
      <UndoBar />
      <VerificationDialog />
    </div>
  )
}

const TITLES: Partial<Record<SectionId, string>> = {
  dashboard: 'Admin Dashboard',
  deals: 'Manage Discounted Products'
}

function SectionNav({ current }: { current: (typeof SECTIONS)[number] | undefined }) {
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)

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
              aria-current={id === current?.id ? 'page' : undefined}
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
