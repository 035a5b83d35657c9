import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { lacksTexts, readPath } from '#lib/admin/field-values.ts'
import { parsePrice, PRODUCT_FIELDS } from '#lib/admin/product-fields.ts'
import { apiFile } from '#lib/api.ts'
import type { AdminProduct, KitchenProduct } from '#lib/contract/catalog.ts'
import { langOf, plural, t, text } from '#lib/contract/texts.ts'
import { findLevel, formatPack, toUniqueName } from '#lib/product.ts'
import {
  $kitchenProducts,
  $products,
  loadKitchenProducts,
  loadProducts,
  setHidden,
  setKitchenStock,
  setPrice,
  setStock
} from '#lib/stores/admin/products.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Loading } from '../../ui/States.tsx'
import { useQuery } from '../../ui/history.ts'
import { AdminFrame } from '../ui/AdminFrame.tsx'
import { type Column, PictureCell, SearchableTable } from '../ui/DataTable.tsx'
import { ExportButton, MoreMenu } from '../ui/FilterBar.tsx'
import { MissingTexts } from '../ui/FormFields.tsx'
import { RowActions, ToggleButton } from '../ui/RecordPage.tsx'
import { Loaded, LoadedStore, NEW_ID, Note, useMay, viewLink } from '../ui/views.tsx'
import { ImportTable } from './ImportTable.tsx'
import { ProductEditor } from './ProductEditor.tsx'
import {
  getCategoryLabel,
  QuickField,
  StockBadges,
  StockToggle,
  stockColumn,
  type StockState
} from './QuickField.tsx'

interface ProductsPageProps {
  categories: readonly Category[]
}

export function ProductsPage({ categories }: ProductsPageProps) {
  const params = new URLSearchParams(useQuery())
  const addButton = (
    <ButtonLink look="primary" label={t('Add product')} {...viewLink({ product: NEW_ID })} />
  )
  const isList = !params.get('product') && !params.has('import')
  const isFull = useMay()('GET /admin/products')
  return (
    <AdminFrame section="products" action={isList && isFull && addButton}>
      {isFull ? (
        <ProductsView params={params} categories={categories} />
      ) : (
        <LoadedStore store={$kitchenProducts} load={loadKitchenProducts} label={t('products')}>
          {list => <StockList products={list} categories={categories} />}
        </LoadedStore>
      )}
    </AdminFrame>
  )
}

function ProductsView({ params, categories }: ProductsPageProps & { params: URLSearchParams }) {
  const products = useStore($products)
  useEffect(() => void loadProducts(), [])
  const id = params.get('product')
  // A new product begins like the last one.
  if (id === NEW_ID && products.state === 'loading') return <Loading />
  if (id) {
    const sizeOf = (id === NEW_ID && params.get('size-of')) || undefined
    return (
      <ProductEditor
        key={`${id} ${sizeOf}`}
        id={id}
        sizeOf={sizeOf}
        products={products.state === 'ready' ? products.value : []}
        categories={categories}
      />
    )
  }
  if (params.has('import')) return <ImportTable />
  return (
    <Loaded state={products} label={t('products')} onRetry={loadProducts}>
      {list => (
        <>
          <ProductList products={list} categories={categories} />
          <MissingTexts specs={PRODUCT_FIELDS} items={list} />
        </>
      )}
    </Loaded>
  )
}

const STOCK_FILTERS = [
  { label: text('All products'), matches: () => true },
  { label: text('Low stock'), matches: (product: StockState) => findLevel(product) === 'low' },
  { label: text('Out of stock'), matches: (product: StockState) => findLevel(product) === 'out' },
  { label: text('Hidden'), matches: ({ hiddenAt }: StockState) => hiddenAt !== null }
] as const
const PRODUCT_FILTERS = [
  ...STOCK_FILTERS,
  {
    label: text('Not translated'),
    matches: (product: AdminProduct) => lacksTexts(PRODUCT_FIELDS, product)
  },
  ...PRODUCT_FIELDS.filter(({ isFilter }) => isFilter).flatMap(({ name, choices = [] }) =>
    choices.map(([value, label]) => ({
      label,
      matches: (product: AdminProduct) => readPath(product, name) === value
    }))
  )
]

interface ListProps<Product> extends ProductsPageProps {
  products: readonly Product[]
}

function StockList({ products, categories }: ListProps<KitchenProduct>) {
  const columns: Column<KitchenProduct>[] = [
    {
      label: t('Product'),
      cell: product => (
        <>
          <span lang={langOf(product.name)} className="block break-words">
            {product.name}
          </span>
          <Note lang={langOf(product.nameTamil)}>{product.nameTamil}</Note>
          <Note>
            {getCategoryLabel(categories, product.category)} · {formatPack(product.quantity)}
          </Note>
          <StockBadges {...product} />
        </>
      )
    },
    stockColumn(setKitchenStock)
  ]
  return (
    <SearchableTable
      caption={t('Products')}
      rows={products}
      columns={columns}
      getTexts={({ id, name, nameTamil, category }) => [id, name, nameTamil, category]}
      filters={STOCK_FILTERS}
      noun="product"
      actions={product => <StockToggle product={product} save={setKitchenStock} />}
    />
  )
}

function ProductList({ products, categories }: ListProps<AdminProduct>) {
  return (
    <SearchableTable
      caption={t('Products')}
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
      actions={product => {
        const isShown = product.hiddenAt === null
        return (
          <RowActions query={{ product: product.id }} name={toUniqueName(product)}>
            <ToggleButton
              label={t(isShown ? 'Hide' : 'Show')}
              id={product.id}
              name={toUniqueName(product)}
              action={() => setHidden(product, isShown)}
            />
            <StockToggle product={product} save={setStock} />
          </RowActions>
        )
      }}
    >
      <MoreMenu>
        <ExportButton read={() => apiFile('GET /admin/products/export')} fileName="products.csv" />
        <ButtonLink label={t('Import')} {...viewLink('?import')} />
      </MoreMenu>
    </SearchableTable>
  )
}

function createColumns(categories: readonly Category[]): Column<AdminProduct>[] {
  const toCategoryLabel = ({ category }: AdminProduct) => getCategoryLabel(categories, category)
  return [
    {
      label: t('Product'),
      cell: product => <NameCell product={product} category={toCategoryLabel(product)} />
    },
    { label: t('Category'), isOnlyInTable: true, cell: toCategoryLabel },
    {
      label: t('Pack size'),
      isOnlyInTable: true,
      cell: ({ quantity }) => <span className="whitespace-nowrap">{formatPack(quantity)}</span>
    },
    {
      label: t('Price'),
      numeric: true,
      cell: product => (
        <QuickField
          column="price"
          label={t('Price of {name}, in rupees', { name: toUniqueName(product) })}
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
  const { id, name, pictures, image, quantity, waiting } = product
  return (
    <PictureCell query={{ product: id }} picture={pictures[0]} image={image} title={name}>
      <Note lang={langOf(product.nameTamil)}>{product.nameTamil}</Note>
      <span className="block text-sm font-normal text-ink/70 xl:hidden">
        {category} · {formatPack(quantity)}
      </span>
      <StockBadges {...product} />
      {findLevel(product) === 'out' && waiting > 0 && (
        <span className="block text-sm font-normal">
          {plural(waiting, '{count} shopper waits for it', '{count} shoppers wait for it')}
        </span>
      )}
    </PictureCell>
  )
}
