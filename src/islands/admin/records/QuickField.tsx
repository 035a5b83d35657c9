import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { parseStock, type StockState } from '#lib/admin/product-fields.ts'
import { LOW_STOCK_THRESHOLD } from '#lib/constants.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { ShopError, toErrorText } from '#lib/errors.ts'
import { toUniqueName } from '#lib/product.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { Badge, type Column } from '../ui/DataTable.tsx'

interface QuickFieldProps {
  /** Enter moves the focus to the next field with the same `column`. */
  column: string
  label: string
  value: string
  prefix?: string
  inputMode: 'decimal' | 'numeric'
  parse: (text: string) => number | undefined
  invalidMessage: string
  save: (value: number) => Promise<void>
}

export function QuickField(props: QuickFieldProps) {
  const { column, label, value, prefix, inputMode, parse, invalidMessage } = props
  const [draftText, setDraftText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  // A ref changes at once, so the blur that follows Enter does not save again.
  const unsavedText = useRef<string>(undefined)
  const id = useId()

  const changeText = (text: string | undefined) => {
    unsavedText.current = text
    setDraftText(text)
    setProblem(undefined)
  }

  const saveText = async (): Promise<boolean> => {
    const text = unsavedText.current
    if (text === undefined) return !busy
    const number = parse(text)
    if (number === undefined) {
      setProblem(invalidMessage)
      return false
    }
    if (number === parse(value)) {
      changeText(undefined)
      return true
    }
    unsavedText.current = undefined
    setBusy(true)
    try {
      await props.save(number)
      changeText(undefined)
      return true
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      unsavedText.current = text
      setProblem(toErrorText(error, ADMIN_MESSAGES.saveFailed))
      return false
    } finally {
      setBusy(false)
    }
  }

  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') changeText(undefined)
    if (event.key !== 'Enter') return
    event.preventDefault()
    const fields = [...document.querySelectorAll<HTMLInputElement>(`[data-quick=${column}]`)]
    const next = fields[fields.indexOf(event.currentTarget) + 1]
    void saveText().then(isSaved => isSaved && next?.focus())
  }

  return (
    <div className="xl:flex xl:flex-col xl:items-end">
      <div className="relative xl:w-28">
        {prefix && (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute left-3 top-2.5 text-ink/70"
          >
            {prefix}
          </span>
        )}
        <input
          data-quick={column}
          data-typing={draftText === undefined ? undefined : ''}
          inputMode={inputMode}
          autoComplete="off"
          enterKeyHint="next"
          aria-label={label}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}problem`}
          aria-busy={busy}
          readOnly={busy}
          value={draftText ?? value}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ target }) => changeText(target.value)}
          // Leaving the field must not save a refused value again. Enter does.
          onBlur={() => problem === undefined && void saveText()}
          onKeyDown={handleKeyDown}
          className={`field text-right tabular-nums aria-busy:opacity-60 ${prefix ? 'pl-8' : ''}`}
        />
        {/* On wide screens it floats: a wider column would move the buttons of all rows. */}
        <p
          id={`${id}problem`}
          role="alert"
          className={
            'mt-1 text-left text-sm font-semibold text-chilli empty:hidden xl:absolute ' +
            'xl:right-0 xl:top-full xl:z-10 xl:w-64 xl:rounded-xl xl:bg-paper xl:p-3 ' +
            'xl:shadow-lg'
          }
        >
          {problem}
        </p>
      </div>
    </div>
  )
}

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
