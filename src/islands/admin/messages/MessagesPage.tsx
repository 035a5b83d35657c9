import { AdminFrame } from '../AdminFrame.tsx'

export function MessagesPage() {
  return <AdminFrame section="messages">{() => <p>There is nothing to do here yet.</p>}</AdminFrame>
}
