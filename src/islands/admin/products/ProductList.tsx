import { ADMIN_MESSAGES, waitingShoppersText } from '#lib/admin/messages.ts'
import { parsePrice, PRODUCT_FILTERS } from '#lib/admin/product-fields.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { formatPack, toUniqueName } from '#lib/product.ts'
import { exportProducts, setHidden, setPrice, setStock } from '#lib/stores/admin/products.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { MoreMenu } from '../../ui/MoreMenu.tsx'
import { toQuery } from '../../ui/history.ts'
import { type Column, PictureCell, SearchableTable } from '../ui/DataTable.tsx'
import { ExportButton } from '../ui/FilterBar.tsx'
import { RowActions, ToggleButton } from '../ui/RecordPage.tsx'
import { viewLink } from '../ui/list-query.ts'
import { getCategoryLabel, QuickField, StockBadges, stockColumn } from './QuickField.tsx'

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
      filters={PRODUCT_FILTERS}
      noun="product"
      noneText={ADMIN_MESSAGES.productsNone}
      actions={product => {
        const isShown = product.hiddenAt === null
        return (
          <RowActions query={toQuery({ product: product.id })} name={toUniqueName(product)}>
            <ToggleButton
              label={isShown ? 'Hide' : 'Show'}
              id={product.id}
              name={toUniqueName(product)}
              action={() => setHidden(product, isShown)}
            />
          </RowActions>
        )
      }}
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
