import { AdminFrame } from '../AdminFrame.tsx'

export function DealsPage() {
  return <AdminFrame section="deals">{() => <p>There is nothing to do here yet.</p>}</AdminFrame>
}
