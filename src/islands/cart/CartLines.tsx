import { useStore } from '@nanostores/react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { CartLine } from '#lib/cart/line.ts'
import type { CartViewLine } from '#lib/cart/view.ts'
import { MIN_CART_QUANTITY } from '#lib/constants.ts'
import { langOf, t } from '#lib/contract/texts.ts'
import { MESSAGES } from '#lib/messages.ts'
import { formatPaise } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { updateQuantity } from '#lib/stores/cart.ts'
import { $token } from '#lib/stores/session.ts'
import { Picture } from '../ui/Picture.tsx'
import { Button, Stepper } from '../ui/Button.tsx'

export interface RemovedLine {
  line: CartLine
  position: number
}

interface CartLinesProps {
  lines: readonly CartViewLine[]
  removed: RemovedLine | undefined
  onRemove: (line: RemovedLine) => void
  onUndo: (removed: RemovedLine) => void
}

export function CartLines({ lines, removed, onRemove, onUndo }: CartLinesProps) {
  const rows = lines.map((view, position) => (
    <li key={`${view.line._id} ${view.line.discount ?? ''}`} className={ROW}>
      <CartLineRow view={view} onRemove={() => onRemove({ line: view.line, position })} />
    </li>
  ))
  if (removed) {
    const { name } = removed.line
    rows.splice(
      removed.position,
      0,
      <li key="removed" className={`flex flex-wrap items-center justify-between gap-4 py-3 ${ROW}`}>
        {t('{name} was removed.', { name })}
        <Button
          label={t('Undo')}
          data-undo
          aria-label={t('Undo: put {name} back', { name })}
          onClick={() => onUndo(removed)}
        />
      </li>
    )
  }
  return rows.length > 0 && <ul className="card px-4 lg:px-6">{rows}</ul>
}

const ROW = 'border-b border-brass/40 last:border-0'

interface CartLineRowProps {
  view: CartViewLine
  onRemove: () => void
}

function CartLineRow({ view, onRemove }: CartLineRowProps) {
  const { name, picture, image } = view.line
  return (
    <article className="relative grid grid-cols-[min(4.5rem,22.5vw)_1fr] gap-3 py-4 sm:gap-4 sm:grid-cols-[7rem_1fr]">
      <Picture
        picture={picture}
        image={image}
        sizes="112px"
        maxWidth={480}
        className="aspect-square w-full rounded-xl object-cover"
      />
      <div className="min-w-0">
        <div className="flex flex-wrap items-baseline justify-between gap-x-2">
          <h2 className="text-base [overflow-wrap:anywhere] sm:text-lg">
            {/* Its ::after covers the picture. */}
            <a
              href={paths.product(view.line._id)}
              lang={langOf(name)}
              className="-my-2 inline-block py-2 after:absolute after:left-0 after:top-4 after:size-[min(4.5rem,22.5vw)] hover:text-chilli sm:after:size-28"
            >
              {name}
            </a>
          </h2>
          <p className="shrink-0 font-semibold">{formatPaise(view.total)}</p>
        </div>
        <LineNotes {...view} />
        <DiscountNote {...view} />
        <LineButtons view={view} onRemove={onRemove} />
      </div>
    </article>
  )
}

function LineNotes(view: CartViewLine) {
  const { price, listPrice, changes, deliveryProblem, deliveryWarning } = view
  const { packSize } = view.line
  return (
    <>
      <p className="text-sm text-ink/70">
        {formatPaise(price)}
        {listPrice !== undefined && (
          <>
            <span className="sr-only"> {MESSAGES.insteadOf}</span> <s>{formatPaise(listPrice)}</s>
          </>
        )}
        {packSize && ` · ${formatPack(packSize)}`}
      </p>
      {/* Rendered even if empty, so that screen readers announce later changes. */}
      <div aria-live="polite" className="text-sm font-semibold text-chilli">
        {changes.map(change => (
          <p key={change}>{change}</p>
        ))}
      </div>
      <div aria-live="polite" className="text-sm">
        {deliveryProblem && (
          <p className="mt-1 rounded-xl border-2 border-chilli px-3 py-2 font-semibold text-chilli">
            {deliveryProblem}
          </p>
        )}
        {deliveryWarning && (
          <p className="mt-1 rounded-xl bg-turmeric/25 px-3 py-2">{deliveryWarning}</p>
        )}
      </div>
    </>
  )
}

/** A discount belongs to an account. */
function DiscountNote({ line, reduction }: CartViewLine) {
  const { discount } = line
  const token = useStore($token)
  if (discount === undefined) return null
  if (reduction === 'sale' || reduction === 'coupon')
    return (
      <p className="text-sm">
        {t('Your discount is kept for later, because this price is lower.')}
      </p>
    )
  return (
    <p className="badge-deal w-fit">
      {t('Your discount: {percent}%', { percent: discount })}
      {token === undefined && ` · ${t('Log in to use this discount.')}`}
    </p>
  )
}

function LineButtons({ view: { line, available }, onRemove }: CartLineRowProps) {
  const stepper = useRef<HTMLDivElement>(null)
  const reduceTo = (count: number) => {
    flushSync(() => updateQuantity(line, count))
    stepper.current?.focus()
  }
  return (
    <div className="flex flex-wrap items-center gap-2 pt-3">
      {/* `updateQuantity` tells about the maximum. */}
      <Stepper
        ref={stepper}
        label={t('Quantity of {name}', { name: line.name })}
        value={line.quantity.value}
        min={MIN_CART_QUANTITY}
        onChange={count => updateQuantity(line, count)}
      />
      {available !== undefined && available > 0 && (
        <Button
          label={t('Change to {count}', { count: available })}
          onClick={() => reduceTo(available)}
        />
      )}
      <Button
        look="link"
        label={t('Remove')}
        className="px-1"
        aria-label={t('Remove {name}', { name: line.name })}
        onClick={onRemove}
      />
    </div>
  )
}
