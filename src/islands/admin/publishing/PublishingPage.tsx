import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { $publishing, refreshPublishing, watchPublishing } from '#lib/stores/admin/publishing.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState, RetryNotice } from '../../ui/EmptyState.tsx'
import { LoadFailed, Loading } from '../../ui/Loading.tsx'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { PublishingStatus } from './PublishingStatus.tsx'

const texts = {
  publishUnavailable: 'This server doesn’t update the website.',
  publishUnknown: 'We can’t tell whether your changes are live.'
}

export function PublishingPage() {
  return <AdminFrame section="publishing">{() => <Status />}</AdminFrame>
}

function Status() {
  const { publishing, isUnsupported, failure } = useStore($publishing)
  useEffect(watchPublishing, [])
  if (isUnsupported) {
    return (
      <EmptyState text={texts.publishUnavailable}>
        <Button look="primary" label="Try again" onClick={refreshPublishing} />
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
  return (
    <div className="grid gap-8">
      <RetryNotice title={texts.publishUnknown} text={failure} onRetry={refreshPublishing} />
      <PublishingStatus publishing={publishing} />
    </div>
  )
}
