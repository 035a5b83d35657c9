import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { SECTIONS, type SectionId } from '#lib/admin/messages.ts'
import { $user, type StoredUser } from '#lib/stores/session.ts'
import { useGuard } from '../../account/use-session.ts'
import { useHydrated } from '../../ui/hooks.ts'
import { Loading } from '../../ui/Loading.tsx'
import { NotLiveBar } from '../overview/NotLiveBar.tsx'
import { ShopBars } from '../overview/ShopBars.tsx'
import { PublishingBadge } from '../publishing/PublishingBadge.tsx'
import { UndoBar } from './UndoBar.tsx'
import { VerificationDialog } from './VerificationDialog.tsx'

interface AdminFrameProps {
  section: SectionId
  action?: ReactNode
  children: (user: StoredUser) => ReactNode
}

export function AdminFrame({ section, action, children }: AdminFrameProps) {
  const user = useAdmin()
  if (!user) return <Loading />
  const menu = document.querySelector('#admin-sections')
  return (
    <div className="gap-8 pb-24 pt-2 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-6">
      <nav aria-label="Administration" className="hidden lg:block">
        <ul className="sticky top-20 grid gap-1">
          <SectionLinks
            current={section}
            className="flex min-h-target items-center rounded-xl px-4 font-semibold hover:bg-cream-deep aria-[current=page]:bg-cream-deep aria-[current=page]:text-chilli"
          />
        </ul>
      </nav>
      {menu &&
        createPortal(
          <ul>
            <SectionLinks current={section} className="menu-link" />
          </ul>,
          menu
        )}
      <div className="min-w-0">
        <div className="mb-2 flex flex-wrap items-center gap-x-4">
          <h1 className="mr-auto text-xl lg:text-2xl">
            {TITLES[section] ?? SECTIONS.find(({ id }) => id === section)?.label}
          </h1>
          {action}
          {section !== 'publishing' && <PublishingBadge />}
        </div>
        <ShopBars />
        <NotLiveBar />
        {children(user)}
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

/**
 * Nothing of the frame is shown to visitors and shoppers. For a stored administrator, the page loads its data while the
 * server still checks the session: it checks each call again.
 */
function useAdmin(): StoredUser | undefined {
  const session = useGuard({ role: 'admin' })
  const stored = useStore($user)
  const hydrated = useHydrated()
  if (session.state === 'authenticated') return session.user
  return hydrated && session.state === 'loading' && stored?.role === 'admin' ? stored : undefined
}

function SectionLinks({ current, className }: { current: SectionId; className: string }) {
  return SECTIONS.map(({ id, label, path }) => (
    <li key={id}>
      <a href={path} aria-current={id === current ? 'page' : undefined} className={className}>
        {label}
      </a>
    </li>
  ))
}
