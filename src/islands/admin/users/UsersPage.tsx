import { AdminFrame } from '../AdminFrame.tsx'

export function UsersPage() {
  return <AdminFrame section="users">{() => <p>There is nothing to do here yet.</p>}</AdminFrame>
}
