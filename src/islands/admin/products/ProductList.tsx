import { ADMIN_MESSAGES, waitingShoppersText } from '#lib/admin/messages.ts'
import { parsePrice } from '#lib/admin/product-form.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { formatPack, toUniqueName } from '#lib/product.ts'
import { exportProducts, setHidden, setPrice, setStock } from '#lib/stores/admin/products.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { toQuery } from '../../ui/history.ts'
import { type Column, PictureCell, SearchableTable } from '../ui/DataTable.tsx'
import { ExportButton } from '../ui/FilterBar.tsx'
import { toastErrors } from '../ui/toast-errors.ts'
import { viewLink } from '../ui/list-query.ts'
import { QuickField } from './QuickField.tsx'
import { getCategoryLabel, STOCK_FILTERS, StockBadges, stockColumn } from './stock-column.tsx'

interface ProductListProps {
  products: readonly AdminProduct[]
  categories: readonly Category[]
}

export function ProductList({ products, categories }: ProductListProps) {
  return (
    <SearchableTable
      caption="Products"
      rows={products}
      columns={createColumns(categories)}
      getTexts={({ id, name, nameTamil, category, ingredients }) => [
        id,
        name,
        nameTamil,
        getCategoryLabel(categories, category),
        ...ingredients
      ]}
      filters={STOCK_FILTERS}
      noun="product"
      noneText={ADMIN_MESSAGES.productsNone}
      actions={product => (
        <div className="flex flex-wrap gap-2 xl:flex-nowrap xl:justify-end">
          <ButtonLink
            label="Edit"
            {...viewLink(toQuery({ product: product.id }))}
            aria-label={`Edit ${toUniqueName(product)}`}
          />
          <HideButton product={product} />
        </div>
      )}
    >
      <MoreMenu>
        <ExportButton read={exportProducts} fileName="products.csv" />
        <ButtonLink label="Import" {...viewLink('?import')} />
      </MoreMenu>
    </SearchableTable>
  )
}

function createColumns(categories: readonly Category[]): Column<AdminProduct>[] {
  const toCategoryLabel = ({ category }: AdminProduct) => getCategoryLabel(categories, category)
  return [
    {
      label: 'Product',
      cell: product => <NameCell product={product} category={toCategoryLabel(product)} />
    },
    { label: 'Category', isOnlyInTable: true, cell: toCategoryLabel },
    {
      label: 'Pack size',
      isOnlyInTable: true,
      cell: ({ quantity }) => <span className="whitespace-nowrap">{formatPack(quantity)}</span>
    },
    {
      label: 'Price',
      numeric: true,
      cell: product => (
        <QuickField
          column="price"
          label={`Price of ${toUniqueName(product)}, in rupees`}
          value={product.price.toFixed(2)}
          prefix="₹"
          inputMode="decimal"
          parse={parsePrice}
          invalidMessage={ADMIN_MESSAGES.productPriceInvalid}
          save={price => setPrice(product, price)}
        />
      )
    },
    stockColumn(setStock)
  ]
}

function NameCell({ product, category }: { product: AdminProduct; category: string }) {
  const { id, name, nameTamil, hiddenAt, stock, pictures, image, quantity, waiting } = product
  return (
    <PictureCell query={toQuery({ product: id })} picture={pictures[0]} image={image} title={name}>
      <span lang="ta" className="block break-words text-sm font-normal text-ink/70">
        {nameTamil}
      </span>
      <span className="block text-sm font-normal text-ink/70 xl:hidden">
        {category} · {formatPack(quantity)}
      </span>
      <StockBadges hiddenAt={hiddenAt} stock={stock} />
      {stock === 0 && waiting > 0 && (
        <span className="block text-sm font-normal">{waitingShoppersText(waiting)}</span>
      )}
    </PictureCell>
  )
}

function HideButton({ product }: { product: AdminProduct }) {
  const isHidden = product.hiddenAt !== null
  const label = isHidden ? 'Show' : 'Hide'
  const toggle = () =>
    toastErrors(() => setHidden(product, !isHidden), ADMIN_MESSAGES.saveFailed, product.id)
  return (
    <Button
      label={label}
      aria-label={`${label} ${toUniqueName(product)}`}
      onClick={() => void toggle()}
    />
  )
}
