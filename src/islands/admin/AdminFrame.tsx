import type { ReactNode } from 'react'
import { SECTIONS, type SectionId } from '#lib/admin/sections.ts'
import type { StoredUser } from '#lib/stores/stored-session.ts'
import { useGuard } from '../account/use-guard.ts'
import { Skeleton } from '../ui/Skeleton.tsx'
import { PublishingBar } from './publishing/PublishingBar.tsx'
import { SectionNav } from './SectionNav.tsx'
import { UndoBar } from './ui/UndoBar.tsx'

interface AdminFrameProps {
  section: SectionId
  action?: ReactNode
  /** Called only if the user is an administrator. */
  children: (user: StoredUser) => ReactNode
}

export function AdminFrame({ section, action, children }: AdminFrameProps) {
  const session = useGuard({ role: 'admin' })
  const isAdmin = session.state === 'authenticated'
  return (
    <div className="gap-8 pb-24 pt-4 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-8">
      <SectionNav section={section} />
      <div className="min-w-0">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4 lg:pt-0">
          <h1 className="text-2xl">{findTitle(section)}</h1>
          {isAdmin && action}
        </div>
        {isAdmin && section !== 'publishing' && <PublishingBar />}
        {isAdmin ? (
          children(session.user)
        ) : (
          <>
            <p role="status" className="sr-only">
              Loading…
            </p>
            <Skeleton rows={3} />
          </>
        )}
      </div>
      <UndoBar />
    </div>
  )
}

function findTitle(section: SectionId): string {
  const label = SECTIONS.find(({ id }) => id === section)?.label ?? ''
  return TITLES[section] ?? label
}

const TITLES: Partial<Record<SectionId, string>> = {
  dashboard: 'Admin Dashboard',
  deals: 'Manage Discounted Products'
}
