import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Publish, Publishing } from '#lib/contract/admin.ts'
import { rich, t, texts } from '#lib/contract/texts.ts'
import { FEED_PATH } from '#lib/paths.ts'
import {
  $publishing,
  formatProgress,
  formatPublishing,
  publishNow,
  refreshPublishing,
  toPublishingKind,
  watchPublishing
} from '#lib/stores/admin/publishing.ts'
import { Button } from '../ui/Button.tsx'
import { ActionButton, CopyButton } from '../ui/Buttons.tsx'
import { Disclosure } from '../ui/Disclosure.tsx'
import { Time } from '../ui/Facts.tsx'
import { EmptyState, LoadFailed, Loading, RetryNotice } from '../ui/States.tsx'
import { AdminFrame } from './ui/AdminFrame.tsx'
import { Note } from './ui/views.tsx'

export function PublishingPage() {
  return (
    <AdminFrame section="publishing">
      <Status />
    </AdminFrame>
  )
}

function Status() {
  const { publishing, isUnsupported, failure } = useStore($publishing)
  useEffect(watchPublishing, [])
  if (isUnsupported) {
    return (
      <EmptyState text={t('This server doesn’t update the website.')}>
        <Button look="primary" label={t('Try again')} onClick={refreshPublishing} />
      </EmptyState>
    )
  }
  if (!publishing) {
    return failure === undefined ? (
      <Loading />
    ) : (
      <LoadFailed text={`${ADMIN_MESSAGES.loadFailed} ${failure}`} onRetry={refreshPublishing} />
    )
  }
  const feed = location.origin + FEED_PATH
  return (
    <div className="grid gap-8">
      <RetryNotice
        title={t('We can’t tell whether your changes are live.')}
        text={failure}
        onRetry={refreshPublishing}
      />
      <PublishingStatus publishing={publishing} />
      <Note>
        {t('Your products for Google Merchant Center: {address}', { address: feed })}{' '}
        <CopyButton text={feed} />
      </Note>
    </div>
  )
}

const CAUSES: Record<Publish['cause'], string> = texts({
  change: 'Started {time} after a change in the shop.',
  hook: 'Started {time} by another system.',
  owner: 'Started {time} by an administrator.'
})

const RETRY_TEXTS = texts({
  partial: 'We try again with your next change. You can also try now.',
  failed: 'We keep trying automatically. You can also try now.'
})

function PublishingStatus({ publishing }: { publishing: Publishing }) {
  const { live, failed, failedPages } = publishing
  const kind = toPublishingKind(publishing)
  const heading = useRef<HTMLHeadingElement>(null)
  // Move the focus to the heading, because the button disappears while publishing.
  const startPublishing = async () => {
    heading.current?.focus()
    await publishNow()
  }
  return (
    <section aria-labelledby="website" className="card grid gap-4 p-4 sm:p-6">
      <div role="status">
        <h2 id="website" ref={heading} tabIndex={-1} className="text-lg outline-none">
          {formatPublishing(publishing)}
        </h2>
        {live && (
          <Note>{rich('Last update: {time}', { time: <Time key="time" iso={live.since} /> })}</Note>
        )}
        {kind === 'live' && <p>{t('All your changes are live.')}</p>}
      </div>
      {kind === 'busy' && <Progress publishing={publishing} />}
      {kind === 'failed' && failed && (
        <div role="alert" className="rounded-xl border-2 border-chilli p-4">
          <p className="font-semibold text-chilli">
            {t('Your latest changes are not on the website.')}
          </p>
          <p className="pb-3 text-sm text-ink/70">
            <Time iso={failed.endedAt ?? failed.requestedAt} />.{' '}
            {t('Customers still see the previous version.')}
          </p>
          {failed.problem !== undefined && (
            <Disclosure title={t('Details')}>
              {() => <p className="[overflow-wrap:anywhere]">{failed.problem}</p>}
            </Disclosure>
          )}
        </div>
      )}
      {failedPages.length > 0 && (
        <div className="rounded-xl border-2 border-chilli p-4">
          <p className="font-semibold text-chilli">
            {t(
              'These pages could not be updated. Customers see their previous version. ' +
                'New pages are not on the website yet.'
            )}
          </p>
          <ul className="list-disc pl-6">
            {failedPages.map(address => (
              <li key={address} className="break-words">
                <a href={address} className="link target">
                  {address}
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
      {(kind === 'failed' || kind === 'partial') && (
        <ActionButton
          label={t('Try again now')}
          busyLabel={t('Starting…')}
          errorTitle={t('The update could not be started.')}
          action={startPublishing}
        >
          {RETRY_TEXTS[kind]}
        </ActionButton>
      )}
    </section>
  )
}

function Progress({ publishing }: { publishing: Publishing }) {
  const { waiting, rendering, progress } = publishing
  const publish = rendering ?? waiting
  return (
    <div className="grid gap-2">
      <label className="grid gap-1">
        {formatProgress(publishing)}
        <progress
          className="h-3 w-full accent-chilli"
          {...(rendering &&
            progress && { value: progress.rendered, max: Math.max(1, progress.of) })}
        />
      </label>
      {publish && (
        <Note>
          {rich(CAUSES[publish.cause], { time: <Time key="time" iso={publish.requestedAt} /> })}
        </Note>
      )}
      {rendering && waiting && (
        <p className="text-sm">{t('More changes will follow in a moment.')}</p>
      )}
    </div>
  )
}
