import { formatRunTime, lowestPrice, parsePercent, type DealFormValues } from '#lib/admin/deal-form.ts'
import { dealOfferText } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'

interface DealPreviewProps {
  product: { name: string; price: number } | undefined
  values: DealFormValues
}

export function DealPreview({ product, values }: DealPreviewProps) {
  const percent = parsePercent(values.discountPercentage)
  const runTime = formatRunTime(values)
  return (
    <output className="block min-h-16 rounded-xl bg-cream-deep px-4 py-3">
      {product ? (
        <>
          <span className="block font-semibold">{product.name}</span>
          {percent ? (
            <>
              <span className="block">
                <s className="text-ink/70">{formatRupees(product.price)}</s>{' '}
                <b className="text-chilli">
                  {dealOfferText(percent, formatRupees(lowestPrice(product.price, percent)))}
                </b>
              </span>
              <span className="block text-sm text-ink/70">
                {percent === 1
                  ? 'Each customer can draw one discount of 1%.'
                  : `Each customer can draw one discount of 1% to ${percent}%.`}{' '}
                {runTime}
              </span>
            </>
          ) : (
            <span className="block">
              {formatRupees(product.price)}
              {percent === 0 && ', no discount'}
            </span>
          )}
        </>
      ) : (
        <span className="block text-ink/70">Preview: fill in the form to see what customers will see.</span>
      )}
    </output>
  )
}
