import { AdminFrame } from '../AdminFrame.tsx'

export function OrdersPage() {
  return <AdminFrame section="orders">{() => <p>There is nothing to do here yet.</p>}</AdminFrame>
}
