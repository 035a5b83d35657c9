import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { type SectionId, SECTIONS, sectionTitle } from '#lib/admin/access.ts'
import { websiteText } from '#lib/admin/messages.ts'
import type { User } from '#lib/contract/accounts.ts'
import { localPath, paths } from '#lib/paths.ts'
import { $verificationRequest, cancelVerification, verify } from '#lib/stores/admin/access.ts'
import { $undo, dismissUndo, pauseUndo, resumeUndo, undoLast } from '#lib/stores/admin/notices.ts'
import {
  $publishing,
  formatPublishing,
  type PublishingKind,
  toPublishingKind,
  watchPublishing
} from '#lib/stores/admin/publishing.ts'
import { $user } from '#lib/stores/session.ts'
import { $setupSettled, loadSetup } from '#lib/stores/setup.ts'
import { useVerifiedForm } from '../../account/Verification.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Failure } from '../../ui/Buttons.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Loading } from '../../ui/States.tsx'
import { useGuard, useHydrated } from '../../ui/hooks.ts'
import { ShopBars } from '../overview/Setup.tsx'
import { useMay } from './views.tsx'

const VERIFICATION_TITLE = 'Verification needed'

interface AdminFrameProps {
  section: SectionId
  action?: ReactNode
  children: ReactNode
}

export function AdminFrame({ section, action, children }: AdminFrameProps) {
  const isAdmin = useIsAdmin()
  const may = useMay()
  const setupIsSettled = useStore($setupSettled)
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
        'gap-8 pb-24 pt-2 lg:grid lg:grid-cols-[13rem_minmax(0,1fr)] lg:pt-6 print:block ' +
        'print:p-0'
      }
    >
      <nav aria-label="Administration" className="hidden lg:block print:hidden">
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
      Your role doesn’t include this page.{' '}
      <a href={paths.admin} className="link target">
        Go to the dashboard
      </a>
    </p>
  )
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
        {label}
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
    : websiteText(failure === undefined ? '…' : 'unknown')
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

function UndoBar() {
  const offer = useStore($undo)
  const hasOffer = offer !== undefined
  // In a long table, the Undo button is many Tab presses away.
  useEffect(() => {
    if (!hasOffer) return
    const handleKeyDown = (event: KeyboardEvent) => {
      const isUndo =
        event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey
      if (!isUndo || isTyping(event.target)) return
      event.preventDefault()
      void undoLast()
    }
    addEventListener('keydown', handleKeyDown)
    return () => removeEventListener('keydown', handleKeyDown)
  }, [hasOffer])

  return (
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-40 flex justify-center p-4">
      <div role="status" className="contents">
        {offer && (
          <div
            data-undo
            onPointerEnter={pauseUndo}
            onPointerLeave={resumeUndo}
            onFocus={pauseUndo}
            onBlur={resumeUndo}
            onKeyDown={({ key }) => key === 'Escape' && dismissUndo()}
            className={
              'pointer-events-auto flex max-w-full items-center gap-2 rounded-card bg-ink py-1 ' +
              'pl-4 pr-1 text-paper shadow-lg'
            }
          >
            <p className="min-w-0 break-words py-1.5">{offer.text}</p>
            <button
              type="button"
              className={
                'target shrink-0 rounded-full px-4 font-semibold text-turmeric underline ' +
                'underline-offset-4 focus-visible:outline-turmeric'
              }
              aria-keyshortcuts="Control+Z"
              onClick={() => void undoLast()}
            >
              Undo<span className="ml-2 hidden font-normal lg:inline">Ctrl+Z</span>
            </button>
            <IconButton
              icon="close"
              label="Dismiss"
              className="shrink-0 focus-visible:outline-turmeric"
              onClick={dismissUndo}
            />
          </div>
        )}
      </div>
    </div>
  )
}

/** In text fields, Ctrl+Z is the browser's own undo. */
function isTyping(target: EventTarget | null) {
  const field = target instanceof Element ? target.closest('input, textarea, select') : null
  return (
    field !== null &&
    !field.matches('[data-quick]:not([data-typing]), [type=checkbox], [type=radio]')
  )
}

/** A dialog keeps the page behind it, so that nothing typed there is lost. */
function VerificationDialog() {
  const request = useStore($verificationRequest)
  return (
    <Dialog
      open={request !== undefined}
      onClose={cancelVerification}
      title={VERIFICATION_TITLE}
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
    errorText: { title: 'Not verified' }
  })

  return (
    <form
      {...form}
      className="grid gap-4 overflow-y-auto px-4 pb-4"
      aria-label={VERIFICATION_TITLE}
    >
      <p>
        Your last verification was more than 10 minutes ago. Enter your password or a code to
        continue.
      </p>
      {verification}
      <Failure failure={failure} busy={busy} />
      <div className="flex flex-wrap-reverse justify-end gap-3">
        <Button label="Cancel" onClick={cancelVerification} />
        <Button type="submit" look="primary" label={busy ? 'Verifying…' : 'Continue'} busy={busy} />
      </div>
    </form>
  )
}
