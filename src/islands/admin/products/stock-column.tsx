import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { parseStock } from '#lib/admin/product-form.ts'
import { LOW_STOCK_THRESHOLD } from '#lib/constants.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { toUniqueName } from '#lib/product.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { Badge, type Column } from '../ui/DataTable.tsx'
import { QuickField } from './QuickField.tsx'

type StockState = Pick<AdminProduct, 'stock' | 'hiddenAt'>

export const STOCK_FILTERS = [
  { label: 'All products', matches: () => true },
  {
    label: 'Low stock',
    matches: ({ stock }: StockState) => stock > 0 && stock <= LOW_STOCK_THRESHOLD
  },
  { label: 'Out of stock', matches: ({ stock }: StockState) => stock === 0 },
  { label: 'Hidden', matches: ({ hiddenAt }: StockState) => hiddenAt !== null }
] as const

export function getCategoryLabel(categories: readonly Category[], name: string): string {
  return categories.find(category => category.name === name)?.label ?? name
}

export function StockBadges({ hiddenAt, stock }: StockState) {
  return (
    <span className="flex flex-wrap gap-1">
      {hiddenAt !== null && <Badge text="Hidden" />}
      {stock === 0 && <Badge text="Out of stock" />}
      {stock > 0 && stock <= LOW_STOCK_THRESHOLD && <Badge text="Low stock" />}
    </span>
  )
}

export function stockColumn<
  Product extends Pick<AdminProduct, 'name' | 'stock' | 'quantity' | 'family'>
>(save: (product: Product, stock: number) => Promise<void>): Column<Product> {
  return {
    label: 'Stock',
    numeric: true,
    cell: product => (
      <QuickField
        column="stock"
        label={`Stock of ${toUniqueName(product)}, in packs`}
        value={String(product.stock)}
        inputMode="numeric"
        parse={parseStock}
        invalidMessage={ADMIN_MESSAGES.productStockInvalid}
        save={stock => save(product, stock)}
      />
    )
  }
}
