import { useStore } from '@nanostores/react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { COLLECTION_LIMITS } from '#lib/constants.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { formatPack } from '#lib/product.ts'
import { $products, loadProducts } from '#lib/stores/admin/products.ts'
import { Button } from '../../ui/Button.tsx'
import { Problem } from '../../ui/Field.tsx'
import type { FieldState } from '../../ui/use-form.ts'
import { Badge, matchesSearch } from '../ui/DataTable.tsx'
import { MovableList } from '../ui/MovableList.tsx'

interface ProductPickerProps {
  state: FieldState
  ids: readonly string[]
  onChange: (ids: readonly string[]) => void
}

const MAX_RESULTS = 6

/** Pack sizes of one product are one entry, because pages show them on one card. */
export function ProductPicker({ state, ids, onChange }: ProductPickerProps) {
  const products = useStore($products)
  const [searchText, setSearchText] = useState('')
  const search = useRef<HTMLInputElement>(null)
  const id = useId()
  useEffect(() => void loadProducts(), [])
  const all = products.state === 'ready' ? products.value : []
  const chosen = ids.flatMap(chosenId => all.find(product => product.id === chosenId) ?? [])
  const found = searchText.trim() === '' ? [] : findProducts(all, chosen, searchText)

  const add = (product: AdminProduct) => {
    onChange([...ids, product.id])
    setSearchText('')
    search.current?.focus()
  }
  const remove = (product: AdminProduct) => {
    onChange(ids.filter(other => other !== product.id))
    search.current?.focus()
  }
  const addFirst = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter would submit the form.
    event.preventDefault()
    if (found[0]) add(found[0])
  }

  return (
    <fieldset className="relative grid min-w-0 gap-3" aria-describedby={state.describedBy}>
      <legend className="mb-2 font-semibold">Products</legend>
      <Problem state={state} />
      {chosen.length > 0 && (
        <MovableList
          label="Products of the collection"
          items={chosen}
          getName={({ name }) => name}
          onOrder={onChange}
          onRemove={remove}
        >
          {product => (
            <p className="flex flex-wrap items-center gap-x-2">
              <span className="min-w-0 break-words">{toLabel(product)}</span>
              {product.hiddenAt !== null && <Badge text="Hidden" />}
            </p>
          )}
        </MovableList>
      )}
      {ids.length < COLLECTION_LIMITS.products && (
        <div>
          <label htmlFor={id} className="mb-1 block text-sm font-semibold">
            Add a product
          </label>
          <input
            ref={search}
            id={id}
            data-field={state.name}
            type="search"
            className="field"
            placeholder="Name of the product"
            value={searchText}
            onChange={({ target }) => setSearchText(target.value)}
            onKeyDown={addFirst}
          />
          <p role="status" className="mt-1 text-sm text-ink/70 empty:hidden">
            {searchText.trim() !== '' && found.length === 0 && ADMIN_MESSAGES.productsNone}
          </p>
          <ul className="mt-2 flex flex-wrap gap-2 empty:hidden">
            {found.map(product => (
              <li key={product.id} className="max-w-full">
                <Button
                  label={`Add ${toLabel(product)}`}
                  className="max-w-full"
                  onClick={() => add(product)}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
    </fieldset>
  )
}

function toLabel({ name, quantity, family }: AdminProduct): string {
  return family ? name : `${name}, ${formatPack(quantity)}`
}

function findProducts(
  products: readonly AdminProduct[],
  chosen: readonly AdminProduct[],
  searchText: string
): AdminProduct[] {
  const taken = new Set(chosen.map(toCardId))
  const found: AdminProduct[] = []
  for (const product of products) {
    const { id, name, nameTamil } = product
    if (taken.has(toCardId(product)) || !matchesSearch([name, nameTamil, id], searchText)) continue
    taken.add(toCardId(product))
    found.push(product)
  }
  return found.slice(0, MAX_RESULTS)
}

function toCardId({ id, family }: AdminProduct): string {
  return family ? `family ${family.id}` : id
}
