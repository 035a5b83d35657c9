import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { KitchenProduct } from '#lib/contract/catalog.ts'
import { formatProductCount } from '#lib/messages.ts'
import { formatPack } from '#lib/product.ts'
import { $kitchenProducts, loadKitchenProducts, setKitchenStock } from '#lib/stores/admin/kitchen.ts'
import type { Category } from '../../catalog/use-filters.ts'
import type { Column } from '../ui/DataTable.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { SearchableTable } from '../ui/SearchableTable.tsx'
import { STOCK_FILTERS, StockBadges, stockColumn } from './stock-column.tsx'

export function StockList({ categories }: { categories: readonly Category[] }) {
  const products = useStore($kitchenProducts)
  useEffect(() => void loadKitchenProducts(), [])
  const labels = new Map(categories.map(({ name, label }) => [name, label]))
  const columns: Column<KitchenProduct>[] = [
    {
      label: 'Product',
      cell: ({ name, nameTamil, category, quantity, hiddenAt, stock }) => (
        <>
          <span className="block break-words">{name}</span>
          <span lang="ta" className="block break-words text-sm font-normal text-ink/70">
            {nameTamil}
          </span>
          <span className="block text-sm font-normal text-ink/70">
            {labels.get(category) ?? category} · {formatPack(quantity)}
          </span>
          <StockBadges hiddenAt={hiddenAt} stock={stock} />
        </>
      )
    },
    stockColumn(setKitchenStock)
  ]
  return (
    <Loaded state={products} label="products" onRetry={() => void loadKitchenProducts()}>
      {list => (
        <SearchableTable
          caption="Products"
          rows={list}
          columns={columns}
          getTexts={({ id, name, nameTamil, category }) => [id, name, nameTamil, category]}
          filters={STOCK_FILTERS}
          formatCount={formatProductCount}
          noneText={ADMIN_MESSAGES.productsNone}
        />
      )}
    </Loaded>
  )
}
