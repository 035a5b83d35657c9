import { useStore } from '@nanostores/react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { formatRupees } from '#lib/money.ts'
import { compareSizes, formatPack } from '#lib/product.ts'
import { $products, orderSizes, takeOutOfFamily } from '#lib/stores/admin/products.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { toQuery } from '../../ui/history.ts'
import { MovableList } from '../ui/MovableList.tsx'
import { NEW_ID } from '../ui/RecordView.tsx'
import { toastErrors } from '../ui/toast-errors.ts'
import { viewLink } from '../ui/list-query.ts'
import { StockBadges } from './QuickField.tsx'

export function PackSizes({ product }: { product: AdminProduct }) {
  const products = useStore($products)
  const all = products.state === 'ready' ? products.value : [product]
  const { family } = all.find(({ id }) => id === product.id) ?? product
  const sizes = family
    ? all.filter(other => other.family?.id === family.id).toSorted(compareSizes)
    : []
  return (
    <section aria-labelledby="pack-sizes" className="mt-8 grid gap-3">
      <h3 id="pack-sizes" className="text-lg">
        Pack sizes
      </h3>
      <p className="text-ink/70">
        {sizes.length > 1
          ? 'They share name, texts and pictures: a change here changes all of them. Price, stock and status are their own.'
          : 'Do you sell this product in other sizes too? They share its name, texts and pictures.'}
      </p>
      {sizes.length > 1 && (
        <MovableList
          label="Pack sizes"
          items={sizes}
          getName={toSizeName}
          onOrder={ids =>
            void toastErrors(
              () => orderSizes(product.id, ids),
              ADMIN_MESSAGES.saveFailed,
              product.id
            )
          }
          actions={size => (
            <Button
              label="Take out"
              aria-label={`Take ${toSizeName(size)} out of the family`}
              onClick={() =>
                void toastErrors(() => takeOutOfFamily(size), ADMIN_MESSAGES.saveFailed, size.id)
              }
            />
          )}
        >
          {size => <SizeRow size={size} isCurrent={size.id === product.id} />}
        </MovableList>
      )}
      <p>
        <ButtonLink
          label="Add a pack size"
          {...viewLink(toQuery({ product: NEW_ID, 'size-of': product.id }))}
        />
      </p>
    </section>
  )
}

function SizeRow({ size, isCurrent }: { size: AdminProduct; isCurrent: boolean }) {
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <a
        {...viewLink(toQuery({ product: size.id }))}
        aria-current={isCurrent ? 'page' : undefined}
        className="inline-flex min-h-target items-center font-semibold underline hover:text-chilli aria-[current=page]:no-underline"
      >
        {toSizeName(size)}
      </a>
      <span className="tabular-nums">{formatRupees(size.price)}</span>
      <span className="text-sm text-ink/70">{size.stock} in stock</span>
      <StockBadges hiddenAt={size.hiddenAt} stock={size.stock} />
    </div>
  )
}

function toSizeName({ quantity }: AdminProduct): string {
  return formatPack(quantity)
}
