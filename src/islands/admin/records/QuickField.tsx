import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { parseStock } from '#lib/admin/product-fields.ts'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import { t } from '#lib/contract/texts.ts'
import { ShopError, toErrorText } from '#lib/errors.ts'
import { type AdminStock, findLevel, NO_LIMIT, toLimit, toUniqueName } from '#lib/product.ts'
import { notifyFailure } from '#lib/stores/admin/notices.ts'
import type { Category } from '../../catalog/use-filters.ts'
import { Badge, type Column } from '../ui/DataTable.tsx'
import { ToggleButton } from '../ui/RecordPage.tsx'

interface QuickFieldProps {
  /** Enter moves the focus to the next field with the same `column`. */
  column: string
  label: string
  value: string
  placeholder?: string
  prefix?: string
  inputMode: 'decimal' | 'numeric'
  parse: (text: string) => number | undefined
  invalidMessage: string
  save: (value: number) => Promise<void>
}

export function QuickField(props: QuickFieldProps) {
  const { column, label, value, placeholder, prefix, inputMode, parse, invalidMessage } = props
  const [draftText, setDraftText] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  // A ref changes at once, so the blur that follows Enter does not save again.
  const unsavedText = useRef<string>(undefined)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()

  const changeText = (text: string | undefined) => {
    unsavedText.current = text
    setDraftText(text)
    setProblem(undefined)
  }

  const saveText = async () => {
    const text = unsavedText.current
    if (text === undefined) return !busy
    const number = parse(text)
    if (text === value || (number !== undefined && number === parse(value))) {
      changeText(undefined)
      return true
    }
    if (number === undefined) {
      setProblem(invalidMessage)
      return false
    }
    unsavedText.current = undefined
    setBusy(true)
    try {
      await props.save(number)
      changeText(undefined)
      return true
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      // The list may show other rows by now.
      if (!input.current) notifyFailure(ADMIN_MESSAGES.notSaved(label), error)
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
          ref={input}
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
          placeholder={placeholder}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ target }) => changeText(target.value)}
          // Leaving the field must not save a refused value again. Enter does.
          onBlur={() => problem === undefined && void saveText()}
          onKeyDown={handleKeyDown}
          className={
            'field px-2.5 text-right placeholder:text-sm aria-busy:opacity-60 ' +
            `${prefix ? 'pl-8' : ''}`
          }
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

export type StockState = AdminStock & Pick<AdminProduct, 'hiddenAt'>

export function StockBadges(product: StockState) {
  const level = findLevel(product)
  return (
    <span className="flex flex-wrap gap-1">
      {product.hiddenAt !== null && <Badge text={t('Hidden')} />}
      {level === 'out' && <Badge text={t('Out of stock')} />}
      {level === 'low' && <Badge text={t('Low stock')} />}
    </span>
  )
}

type Stocked = AdminStock & Pick<AdminProduct, 'id' | 'name' | 'quantity' | 'family'>
type SaveStock<Product> = (product: Product, stock: number | null) => Promise<void>

export function stockColumn<Product extends Stocked>(save: SaveStock<Product>): Column<Product> {
  return {
    label: t('Stock'),
    numeric: true,
    cell: product => {
      const limit = toLimit(product)
      return (
        <QuickField
          column="stock"
          label={t('Stock of {name}, in packs', { name: toUniqueName(product) })}
          value={limit === null ? '' : String(limit)}
          placeholder={t('No limit||short')}
          inputMode="numeric"
          parse={parseStock}
          invalidMessage={ADMIN_MESSAGES.productStockInvalid}
          save={stock => save(product, stock)}
        />
      )
    }
  }
}

interface StockToggleProps<Product> {
  product: Product
  save: SaveStock<Product>
}

export function StockToggle<Product extends Stocked>({ product, save }: StockToggleProps<Product>) {
  const { id, cookedToOrder } = product
  return (
    <ToggleButton
      label={cookedToOrder ? t('Mark sold out') : t(NO_LIMIT)}
      id={`stock of ${id}`}
      name={toUniqueName(product)}
      action={() => save(product, cookedToOrder ? 0 : null)}
    />
  )
}
