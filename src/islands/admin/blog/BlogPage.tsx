import { AdminFrame } from '../AdminFrame.tsx'

export function BlogPage() {
  return <AdminFrame section="blog">{() => <p>There is nothing to do here yet.</p>}</AdminFrame>
}
