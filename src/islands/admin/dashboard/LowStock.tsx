import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Dashboard } from '#lib/contract/admin/dashboard.ts'
import { paths } from '#lib/paths.ts'
import { productQuery } from '../products/product-view.ts'

export function LowStock({ products }: { products: Dashboard['lowStock'] }) {
  return (
    <section aria-labelledby="low-stock" className="card p-4">
      <h2 id="low-stock" className="text-lg">
        Low stock
      </h2>
      {products.length === 0 ? (
        <p className="mt-2">{ADMIN_MESSAGES.lowStockNone}</p>
      ) : (
        <ul className="mt-2">
          {products.map(({ id, name, stock }) => (
            <li key={id} className="border-b border-brass/30 last:border-0">
              <a
                href={`${paths.adminProducts}${productQuery(id)}`}
                className="flex min-h-target items-center justify-between gap-4 hover:text-chilli"
              >
                <span className="min-w-0 break-words">{name}</span>
                <span className={`shrink-0 tabular-nums ${stock === 0 ? 'font-semibold text-chilli' : ''}`}>
                  {stock === 0 ? 'Out of stock' : `${stock} left`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
