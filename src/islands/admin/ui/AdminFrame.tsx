import { useStore } from '@nanostores/react'
import { useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import type { AdminCall } from '#lib/admin/access.ts'
import { ADMIN_MESSAGES, SECTIONS, sectionTitle, type SectionId } from '#lib/admin/messages.ts'
import { paths } from '#lib/paths.ts'
import { $may } from '#lib/stores/admin/access.ts'
import { $user, type StoredUser } from '#lib/stores/session.ts'
import { $setupSettled, loadSetup } from '#lib/stores/setup.ts'
import { useGuard } from '../../account/use-session.ts'
import { useHydrated } from '../../ui/hooks.ts'
import { Loading } from '../../ui/Loading.tsx'
import { NotLiveBar, ShopBars } from '../overview/ShopBars.tsx'
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
  const may = useStore($may)
  const setupIsSettled = useStore($setupSettled)
  const seesSetup = user !== undefined && may('GET /admin/setup')
  useEffect(() => {
    if (seesSetup) void loadSetup()
  }, [seesSetup])
  if (!user) return <Loading />
  const isSettled = setupIsSettled || !seesSetup
  const isAllowed = may(SECTION_CALLS[section])
  const menu = document.querySelector('#admin-sections')
  return (
    <div className="gap-8 pb-24 pt-2 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-6 print:block print:p-0">
      <nav aria-label="Administration" className="hidden lg:block print:hidden">
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
        <div className="flex flex-wrap items-center gap-x-4 print:hidden">
          <h1 className="mr-auto text-xl lg:text-2xl">{sectionTitle(section)}</h1>
          {isAllowed && action}
          {section !== 'publishing' && may('GET /admin/publishing') && <PublishingBadge />}
        </div>
        <div className="print:hidden">
          <ShopBars isOwner={seesSetup} />
          {may('GET /admin/dashboard') && <NotLiveBar />}
        </div>
        {/* Below bars that come late, the content would move. */}
        {!isSettled && <Loading />}
        <div hidden={!isSettled}>{isAllowed ? children(user) : <Forbidden />}</div>
      </div>
      <UndoBar />
      <VerificationDialog />
    </div>
  )
}

/** The call that a page needs. Without it, the page is neither listed nor shown. */
const SECTION_CALLS: Readonly<Record<SectionId, AdminCall>> = {
  dashboard: 'GET /admin/kitchen',
  orders: 'GET /admin/kitchen/orders',
  kitchen: 'GET /admin/kitchen/day',
  products: 'GET /admin/kitchen/products',
  collections: 'GET /admin/collections',
  deals: 'PATCH /discounted-products/{id}',
  coupons: 'GET /admin/coupons',
  messages: 'GET /admin/messages',
  blog: 'GET /admin/posts',
  users: 'GET /admin/users',
  publishing: 'GET /admin/publishing',
  settings: 'GET /admin/settings'
}

export function Forbidden() {
  return (
    <p>
      {ADMIN_MESSAGES.pageForbidden}{' '}
      <a href={paths.admin} className="link target">
        Go to the dashboard
      </a>
    </p>
  )
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
  const may = useStore($may)
  return SECTIONS.filter(({ id }) => may(SECTION_CALLS[id])).map(({ id, label, path }) => (
    <li key={id}>
      <a href={path} aria-current={id === current ? 'page' : undefined} className={className}>
        {label}
      </a>
    </li>
  ))
}
