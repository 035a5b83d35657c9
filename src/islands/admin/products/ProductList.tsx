import { useEffect, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { parsePrice, parseStock } from '#lib/admin/product-form.ts'
import { LOW_STOCK } from '#lib/constants.ts'
import type { AdminProduct } from '#lib/contract/admin/products.ts'
import { productCount } from '#lib/messages.ts'
import { formatPack } from '#lib/pack.ts'
import { setPrice, setStock } from '#lib/stores/admin/products.ts'
import { DataTable, type Column } from '../ui/DataTable.tsx'
import { FilterBar } from '../ui/FilterBar.tsx'
import { Badge } from '../ui/Badge.tsx'
import { PictureCell } from '../ui/PictureCell.tsx'
import { ViewLink } from '../ui/ViewLink.tsx'
import { HideButton } from './HideButton.tsx'
import { productQuery } from './product-view.ts'
import type { CategoryChoice } from './ProductsPage.tsx'
import { QuickField } from './QuickField.tsx'
import { TableActions } from './table/TableActions.tsx'

const FILTERS = {
  all: { label: 'All products', fits: () => true },
  low: { label: 'Low stock', fits: ({ stock }: AdminProduct) => stock > 0 && stock <= LOW_STOCK },
  out: { label: 'Out of stock', fits: ({ stock }: AdminProduct) => stock === 0 },
  hidden: { label: 'Hidden', fits: ({ hiddenAt }: AdminProduct) => hiddenAt !== null }
} as const
type FilterId = keyof typeof FILTERS

interface ProductListProps {
  products: readonly AdminProduct[]
  categories: readonly CategoryChoice[]
  /** The last opened product, which gets the focus. */
  returnTo: string | undefined
}

export function ProductList({ products, categories, returnTo }: ProductListProps) {
  const [typed, setTyped] = useState('')
  const [filter, setFilter] = useState<FilterId>('all')
  const found = products.filter(product => FILTERS[filter].fits(product) && isFound(product, typed))
  useEffect(() => {
    if (returnTo) document.getElementById(linkId(returnTo))?.focus()
  }, [])

  return (
    <div className="grid gap-4">
      <FilterBar
        search="Search products"
        typed={typed}
        onType={setTyped}
        filters={FILTERS}
        filter={filter}
        onFilter={setFilter}
      >
        <TableActions />
      </FilterBar>
      <p role="status" className="text-sm text-ink/70">
        {found.length === 0 ? ADMIN_MESSAGES.productsNone : productCount(found.length)}
      </p>
      {found.length > 0 && (
        <DataTable
          caption="Products"
          columns={columns(categories)}
          rows={found}
          keyOf={({ id }) => id}
          actions={product => (
            <div className="flex flex-wrap gap-2 md:justify-end">
              <ViewLink query={productQuery(product.id)} className="button-quiet" aria-label={`Edit ${product.name}`}>
                Edit
              </ViewLink>
              <HideButton product={product} />
            </div>
          )}
        />
      )}
    </div>
  )
}

function columns(categories: readonly CategoryChoice[]): Column<AdminProduct>[] {
  const labels = new Map(categories.map(({ name, label }) => [name, label]))
  const named = ({ category }: AdminProduct) => labels.get(category) ?? category
  return [
    { id: 'name', label: 'Product', cell: product => <NameCell product={product} category={named(product)} /> },
    { id: 'category', label: 'Category', only: 'wide table', cell: named },
    { id: 'pack', label: 'Pack size', only: 'wide table', cell: ({ quantity }) => formatPack(quantity) },
    {
      id: 'price',
      label: 'Price',
      numeric: true,
      cell: product => (
        <QuickField
          column="price"
          label={`Price of ${product.name}, in rupees`}
          value={product.price.toFixed(2)}
          prefix="₹"
          inputMode="decimal"
          parse={parsePrice}
          invalidMessage={ADMIN_MESSAGES.productPriceInvalid}
          save={price => setPrice(product, price)}
        />
      )
    },
    {
      id: 'stock',
      label: 'Stock',
      numeric: true,
      cell: product => (
        <QuickField
          column="stock"
          label={`Stock of ${product.name}, in packs`}
          value={String(product.stock)}
          inputMode="numeric"
          parse={parseStock}
          invalidMessage={ADMIN_MESSAGES.productStockInvalid}
          save={stock => setStock(product, stock)}
        />
      )
    }
  ]
}

function NameCell({ product, category }: { product: AdminProduct; category: string }) {
  const { id, name, nameTamil, hiddenAt, stock, pictures, image, quantity } = product
  return (
    <PictureCell id={linkId(id)} query={productQuery(id)} picture={pictures[0]} image={image} title={name}>
      <span lang="ta" className="block break-words text-sm font-normal text-ink/70">
        {nameTamil}
      </span>
      <span className="block text-sm font-normal text-ink/70 xl:hidden">
        {category} · {formatPack(quantity)}
      </span>
      <span className="flex flex-wrap gap-1">
        {hiddenAt !== null && <Badge text="Hidden" />}
        {stock === 0 && <Badge text="Out of stock" />}
        {stock > 0 && stock <= LOW_STOCK && <Badge text="Low stock" />}
      </span>
    </PictureCell>
  )
}

function linkId(id: string): string {
  return `product-${id}`
}

function isFound({ id, name, nameTamil, category, ingredients }: AdminProduct, typed: string): boolean {
  const words = typed.toLowerCase().split(/\s+/)
  const text = [id, name, nameTamil, category, ...ingredients].join(' ').toLowerCase()
  return words.every(word => text.includes(word))
}
