import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type SectionId, SECTIONS, sectionTitle } from '#lib/admin/access.ts'
import { websiteText } from '#lib/admin/messages.ts'
import { LANGUAGE_CODES } from '#lib/constants.ts'
import type { User } from '#lib/contract/accounts.ts'
import { language, t, text as mark } from '#lib/contract/texts.ts'
import { localPath, paths } from '#lib/paths.ts'
import { $verificationRequest, cancelVerification, verify } from '#lib/stores/admin/access.ts'
import {
  $publishing,
  formatPublishing,
  type PublishingKind,
  toPublishingKind,
  watchPublishing
} from '#lib/stores/admin/publishing.ts'
import { $user } from '#lib/stores/session.ts'
import { readText } from '#lib/stores/storage.ts'
import { $newOrders, $setupSettled, loadSetup, watchOrders } from '#lib/stores/admin/overview.ts'
import { useVerifiedForm } from '../../account/Verification.tsx'
import { Button } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Buttons.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Loading } from '../../ui/States.tsx'
import { useGuard, useHydrated } from '../../ui/hooks.ts'
import { ShopBars } from '../overview/Setup.tsx'
import { UndoBar } from './UndoBar.tsx'
import { useMay } from './views.tsx'

const VERIFICATION_TITLE = mark('Verification needed')

interface AdminFrameProps {
  section: SectionId
  action?: ReactNode
  children: ReactNode
}

export function AdminFrame({ section, action, children }: AdminFrameProps) {
  const isAdmin = useIsAdmin()
  const may = useMay()
  const setupIsSettled = useStore($setupSettled)
  useChosenLanguage()
  useOrdersInTitle(isAdmin)
  const seesSetup = isAdmin && may('GET /admin/setup')
  useEffect(() => {
    if (seesSetup) void loadSetup()
  }, [seesSetup])
  if (!isAdmin) return <Loading />
  const isSettled = setupIsSettled || !seesSetup
  const isAllowed = may(SECTIONS[section].call)
  const menu = document.querySelector('#admin-sections')
  return (
    <div
      className={
        'gap-8 pb-24 pt-2 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-6 print:block print:p-0'
      }
    >
      <nav aria-label={t('Administration')} className="hidden lg:block print:hidden">
        <ul className="sticky top-20 grid gap-1">
          <SectionLinks
            current={section}
            className={
              'flex min-h-target items-center rounded-xl px-4 font-semibold ' +
              'hover:bg-cream-deep aria-[current=page]:bg-cream-deep ' +
              'aria-[current=page]:text-chilli'
            }
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
      {/* Unlike break-word, "anywhere" also lets table cells be narrower than a long link. */}
      <div className="group min-w-0 [&_.break-words]:[overflow-wrap:anywhere]">
        <div
          className={
            'mb-1 flex min-h-target flex-wrap items-center gap-x-2 print:hidden sm:gap-x-4 ' +
            'max-lg:group-has-[[data-back]]:sr-only'
          }
        >
          <h1 className="mr-auto text-lg sm:text-xl lg:text-2xl">{sectionTitle(section)}</h1>
          {isAllowed && action}
          {section !== 'publishing' && may('GET /admin/publishing') && <PublishingBadge />}
        </div>
        <div className="print:hidden">
          <ShopBars hasChecklist={section === 'dashboard'} />
        </div>
        {/* Below bars that come late, the content would move. */}
        {!isSettled && <Loading />}
        <div hidden={!isSettled}>{isAllowed ? children : <Forbidden />}</div>
      </div>
      <UndoBar />
      <VerificationDialog />
    </div>
  )
}

export function Forbidden() {
  return (
    <p>
      {t('Your role doesn’t include this page.')}{' '}
      <a href={paths.admin} className="link target">
        {t('Go to the dashboard')}
      </a>
    </p>
  )
}

/** The last choice in this browser counts more than the profile, which other browsers change. */
function useChosenLanguage() {
  const saved = useStore($user)?.language
  const chosen = LANGUAGE_CODES.find(code => code === readText('localStorage', 'language')) ?? saved
  useEffect(() => {
    if (chosen === undefined || chosen === language()) return
    location.replace(localPath(location.pathname, chosen) + location.search + location.hash)
  }, [chosen])
}

/** The title can also be read on a tab that is not in front. */
function useOrdersInTitle(isAdmin: boolean) {
  const newOrders = useStore($newOrders)
  useEffect(() => (isAdmin ? watchOrders() : undefined), [isAdmin])
  useEffect(() => {
    if (newOrders === 0) return
    const { title } = document
    document.title = `(${newOrders}) ${title}`
    return () => void (document.title = title)
  }, [newOrders])
}

/** For a stored administrator, the page loads while the server still checks the session. */
function useIsAdmin() {
  const { state } = useGuard({ role: 'admin' })
  const isStored = useStore($user)?.role === 'admin'
  const hydrated = useHydrated()
  return state === 'authenticated' || (hydrated && state === 'loading' && isStored)
}

function SectionLinks({ current, className }: { current: SectionId; className: string }) {
  const may = useMay()
  const allowed = Object.entries(SECTIONS).filter(([, { call }]) => may(call))
  return allowed.map(([id, { label, path }]) => (
    <li key={id}>
      <a
        href={localPath(path)}
        aria-current={id === current ? 'page' : undefined}
        className={className}
      >
        {t(label)}
      </a>
    </li>
  ))
}

const DOT_CLASSES: Record<PublishingKind, string> = {
  busy: 'bg-turmeric motion-safe:animate-pulse',
  failed: 'bg-chilli',
  partial: 'bg-chilli',
  live: 'bg-leaf',
  none: 'bg-ink/50'
}

/** Keeps its width while nothing has failed, because nothing may move. A dot on phones. */
function PublishingBadge() {
  const { publishing, isUnsupported, failure } = useStore($publishing)
  useEffect(watchPublishing, [])
  const kind = publishing && toPublishingKind(publishing)
  const isFailed = kind === 'failed' || kind === 'partial'
  const text = publishing
    ? formatPublishing(publishing)
    : websiteText(failure === undefined ? '…' : t('unknown'))
  // Screen readers announce changes, but not the status at page load.
  const previousKind = useRef(kind)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => {
    if (previousKind.current !== undefined && previousKind.current !== kind) setAnnouncement(text)
    previousKind.current = kind
  }, [kind, text])
  return (
    <div className="text-sm max-lg:group-has-[[data-back]]:hidden sm:w-52">
      {!isUnsupported && (
        <a
          href={paths.adminPublishing}
          className={
            'flex min-h-target min-w-target items-center justify-end gap-2 hover:text-chilli ' +
            `${isFailed ? 'font-semibold text-chilli' : ''}`
          }
        >
          <span
            aria-hidden="true"
            className={
              'h-2.5 w-2.5 shrink-0 rounded-full forced-colors:bg-[CanvasText] ' +
              DOT_CLASSES[kind ?? 'none']
            }
          />
          <span className={isFailed ? '' : 'max-sm:sr-only'}>{text}</span>
        </a>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </div>
  )
}

/** A dialog keeps the page behind it, so that nothing typed there is lost. */
function VerificationDialog() {
  const request = useStore($verificationRequest)
  return (
    <Dialog
      open={request !== undefined}
      onClose={cancelVerification}
      title={t(VERIFICATION_TITLE)}
      shape="box"
    >
      {request && <VerificationForm user={request.user} />}
    </Dialog>
  )
}

function VerificationForm({ user }: { user: User }) {
  const { form, failure, busy, verification } = useVerifiedForm({
    account: user,
    send: (_, proof) => verify(proof),
    errorText: { title: t('Not verified') }
  })

  return (
    <form
      {...form}
      className="grid gap-4 overflow-y-auto px-4 pb-4"
      aria-label={t(VERIFICATION_TITLE)}
    >
      <p>
        {t(
          'Your last verification was more than 10 minutes ago. ' +
            'Enter your password or a code to continue.'
        )}
      </p>
      {verification}
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap-reverse justify-end gap-3">
        <Button label={t('Cancel')} onClick={cancelVerification} />
        <Button
          type="submit"
          look="primary"
          label={t(busy ? 'Verifying…' : 'Continue')}
          busy={busy}
        />
      </div>
    </form>
  )
}
