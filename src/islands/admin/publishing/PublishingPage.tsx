import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { $publishing, refreshPublishing, watchPublishing } from '#lib/stores/admin/publishing.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AdminFrame } from '../AdminFrame.tsx'
import { ReleaseList } from './ReleaseList.tsx'
import { PublishingStatus } from './PublishingStatus.tsx'

export function PublishingPage() {
  return <AdminFrame section="publishing">{() => <Status />}</AdminFrame>
}

function Status() {
  const { publishing, isUnsupported, failure } = useStore($publishing)
  useEffect(watchPublishing, [])
  const retryButton = (
    <button type="button" className="button-primary" onClick={refreshPublishing}>
      Try again
    </button>
  )
  if (isUnsupported) return <EmptyState text={ADMIN_MESSAGES.publishUnavailable}>{retryButton}</EmptyState>
  if (!publishing) {
    return failure === undefined ? (
      <>
        <p role="status" className="sr-only">
          Loading…
        </p>
        <Skeleton rows={3} />
      </>
    ) : (
      <div role="alert">
        <EmptyState text={`${ADMIN_MESSAGES.loadFailed} ${failure}`}>{retryButton}</EmptyState>
      </div>
    )
  }
  return (
    <div className="grid gap-8">
      {failure !== undefined && (
        <div role="alert">
          <Notice
            title={ADMIN_MESSAGES.publishUnknown}
            text={failure}
            action="Try again"
            onAction={refreshPublishing}
          />
        </div>
      )}
      <PublishingStatus publishing={publishing} />
      <ReleaseList releases={publishing.releases} />
    </div>
  )
}
