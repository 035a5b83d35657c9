import { AdminFrame } from '../AdminFrame.tsx'

export function ProductsPage() {
  return <AdminFrame section="products">{() => <p>There is nothing to do here yet.</p>}</AdminFrame>
}
