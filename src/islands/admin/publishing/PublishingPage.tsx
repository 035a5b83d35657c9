import { AdminFrame } from '../AdminFrame.tsx'

export function PublishingPage() {
  return <AdminFrame section="publishing">{() => <p>There is nothing to do here yet.</p>}</AdminFrame>
}
