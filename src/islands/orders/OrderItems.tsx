import type { Order } from '#lib/contract/orders.ts'
import { formatRupees } from '#lib/money.ts'
import { formatPack } from '#lib/pack.ts'
import { ProductPicture } from '../catalog/ProductPicture.tsx'

export function OrderItems({ items }: { items: Order['items'] }) {
  return (
    <ul>
      {items.map(({ product, packSize, quantity, price, listPrice, discount, total }) => (
        <li key={`${product._id} ${discount ?? ''}`} className="flex items-center gap-4 py-3">
          <ProductPicture
            picture={product.picture}
            image={product.image}
            sizes="56px"
            maxWidth={480}
            className="size-14 shrink-0 rounded-xl object-cover"
          />
          <div className="min-w-0 grow">
            <p className="font-semibold">{product.name}</p>
            <p className="text-sm text-ink/70">
              {packSize && `${formatPack(packSize)} · `}
              {quantity} × {formatRupees(price)}
              {discount !== undefined && (
                <>
                  {' '}
                  <s>{formatRupees(listPrice)}</s> <span className="font-semibold text-leaf">{discount}% off</span>
                </>
              )}
            </p>
          </div>
          <p className="tabular-nums">{formatRupees(total)}</p>
        </li>
      ))}
    </ul>
  )
}
