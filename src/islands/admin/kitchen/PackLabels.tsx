import { useLayoutEffect, useRef, useState } from 'react'
import { KOLAM } from '#lib/art/icons.ts'
import type { Dietary } from '#lib/constants.ts'
import type { LabelFacts } from '#lib/contract/kitchen.ts'
import { t } from '#lib/contract/texts.ts'
import { joinLines, type LabelCopies, makerText, unitPriceText } from '#lib/kitchen/labels.ts'
import { DIETARY_LABELS } from '#lib/messages.ts'
import { formatRupees } from '#lib/money.ts'
import { formatPack, MEASURES } from '#lib/product.ts'
import { addDays } from '#lib/time.ts'

/** In points, with an x-height of 1.2 mm: the minimum of FSSAI's labelling rules. */
const MIN_FONT_SIZE = 6.5
const FONT_SIZES = [8.5, 8, 7.5, 7, MIN_FONT_SIZE, 6, 5.5, 5]
const SMALLEST = 4.5

// FSSAI and Legal Metrology want each line in English. Other languages may stand beside it.
function formatDate(day: string) {
  const format = new Intl.DateTimeFormat('en-IN', { dateStyle: 'long', timeZone: 'UTC' })
  return format.format(new Date(day))
}

function formatNet({ value, unit }: LabelFacts['products'][number]['quantity']) {
  return `${value} ${unit}${MEASURES[unit] || value === 1 || unit.endsWith('s') ? '' : 's'}`
}

const NET_LABELS: Partial<Record<string, string>> = { weight: 'Net weight', volume: 'Net volume' }

interface PackLabelsProps extends LabelCopies {
  maker: LabelFacts['maker']
  packedOn: string
  batch: string
  onFit: (isReadable: boolean) => void
}

export function PackLabels({ product, count, maker, packedOn, batch, onFit }: PackLabelsProps) {
  const first = useRef<HTMLElement>(null)
  const [size, setSize] = useState<number>()
  const { name, nameTamil, dietary, quantity, mrp, shelfLifeDays } = product
  const bestBefore = shelfLifeDays === null ? '' : formatDate(addDays(packedOn, shelfLifeDays))
  const dates = [
    ['Packed on', t('Packed on'), formatDate(packedOn)],
    ['Best before', t('Best before'), bestBefore],
    ['Batch', t('Batch'), batch]
  ] as const
  useLayoutEffect(() => {
    const label = first.current
    if (!label) return
    const fitting = FONT_SIZES.find(points => {
      label.style.fontSize = `${points}pt`
      return label.scrollHeight <= label.clientHeight
    })
    setSize(fitting ?? SMALLEST)
    onFit(fitting !== undefined && fitting >= MIN_FONT_SIZE)
  }, [product, maker, batch])
  return Array.from({ length: count }, (_, index) => (
    <article
      key={index}
      ref={index === 0 ? first : undefined}
      className="pack-label"
      style={{ fontSize: `${size ?? FONT_SIZES[0]}pt` }}
      aria-label={t('Label: {name}, {pack}', { name, pack: formatPack(quantity) })}
    >
      <div className="flex items-start justify-between gap-2">
        <div className="min-w-0 leading-tight">
          <b className="block break-words text-[1.7em]">{name}</b>
          <span lang="ta" className="block break-words text-[1.2em]">
            {nameTamil}
          </span>
        </div>
        <img {...KOLAM} loading="eager" className="pack-label-mark ml-auto" />
        <DietaryMark dietary={dietary} />
      </div>
      <Fact label="Ingredients" added={t('Ingredients')} text={product.ingredients.join(', ')} />
      <Fact label="Allergens" added={t('Allergens')} text={joinLines(product.allergens)} />
      <Fact label="Nutrition per 100 g" text={joinLines(product.nutrition)} />
      <div className="mt-auto flex flex-wrap items-baseline justify-between gap-x-3">
        <span>
          {NET_LABELS[quantity.type] ?? 'Net quantity'}{' '}
          <b className="pack-label-number">{formatNet(quantity)}</b>
        </span>
        <span className="text-right">
          MRP <b className="pack-label-number">{formatRupees(mrp)}</b> (incl. of all taxes)
        </span>
      </div>
      <p>Unit sale price {unitPriceText(product)}</p>
      <p className="flex flex-wrap gap-x-3">
        {dates.map(
          ([label, added, text]) =>
            text && (
              <span key={label}>
                <Heading label={label} added={added} /> <b>{text}</b>
              </span>
            )
        )}
      </p>
      <Fact label="Made and packed by" end="" text={makerText(maker)} />
      <Fact label="FSSAI Lic. No." end="" text={maker.fssai} />
      <Fact label="Customer care" text={[maker.phone, maker.email].filter(Boolean).join(', ')} />
    </article>
  ))
}

interface HeadingProps {
  label: string
  /** In the language of the page. */
  added?: string
}

function Heading({ label, added = label }: HeadingProps) {
  return added === label ? label : `${label} · ${added}`
}

function Fact({ text, end = ':', ...heading }: HeadingProps & { text: string; end?: string }) {
  if (text === '') return null
  return (
    <p>
      <b>
        <Heading {...heading} />
        {end}
      </b>{' '}
      {text}
    </p>
  )
}

/** As FSSAI draws them: a green dot in a square of 6 mm, or the V of vegan food. */
function DietaryMark({ dietary }: { dietary: Dietary }) {
  return (
    <svg
      viewBox="0 0 60 60"
      role="img"
      aria-label={DIETARY_LABELS[dietary]}
      className="pack-label-mark"
    >
      <rect x="2" y="2" width="56" height="56" fill="#fff" stroke="#008000" strokeWidth="4" />
      {dietary === 'vegan' ? (
        <g fill="none" stroke="#008000" strokeWidth="6">
          <path d="M15 18 L30 50 L42 24" />
          <path d="M42 24 C38 12 46 8 52 8 C53 16 50 23 42 24Z" fill="#008000" strokeWidth="2" />
        </g>
      ) : (
        <circle cx="30" cy="30" r="15" fill="#008000" />
      )}
    </svg>
  )
}
