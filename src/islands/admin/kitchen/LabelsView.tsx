import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { api } from '#lib/api.ts'
import type { LabelFacts, LabelProduct } from '#lib/contract/kitchen.ts'
import { plural, t, text } from '#lib/contract/texts.ts'
import {
  findMissingOfMaker,
  findMissingOfProduct,
  type LabelCopies,
  labelsOfOrders
} from '#lib/kitchen/labels.ts'
import { formatDay } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import {
  $kitchenDay,
  type DayOrder,
  loadKitchenDay,
  watchKitchenDay
} from '#lib/stores/admin/kitchen-day.ts'
import { toDayInIndia } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { toQuery } from '../../ui/history.ts'
import { LabelledInput, LabelledSelect, Load, Loaded, useMay } from '../ui/views.tsx'
import { PackLabels } from './PackLabels.tsx'

const TOO_LONG = text(
  'The text is too long for letters that everybody can read. Shorten the ingredients or the nutrition.'
)
const MAX_COPIES = 500
const ALL_OF_DAY = ''

export function LabelsView({ date }: { date: string | undefined }) {
  const day = useStore($kitchenDay)
  useEffect(() => watchKitchenDay(date), [date])
  return (
    <Load label={t('labels')} read={() => api('GET /admin/kitchen/labels')}>
      {facts => (
        <Loaded state={day} label={t('orders')} onRetry={() => loadKitchenDay(date)}>
          {loaded => (
            <Labels
              facts={facts}
              day={loaded.day}
              ofDay={labelsOfOrders(facts.products, loaded.orders.filter(isHere))}
            />
          )}
        </Loaded>
      )}
    </Load>
  )
}

function isHere({ status }: DayOrder) {
  return status !== 'shipped' && status !== 'delivered'
}

interface LabelsProps {
  facts: LabelFacts
  day: string
  ofDay: readonly LabelCopies[]
}

function Labels({ facts: { maker, products }, day, ofDay }: LabelsProps) {
  const [productId, setProductId] = useState(ALL_OF_DAY)
  const [copies, setCopies] = useState('1')
  const [packedOn, setPackedOn] = useState(() => toDayInIndia(Date.now()))
  const [typedBatch, setTypedBatch] = useState<string>()
  const [readable, setReadable] = useState<Readonly<Record<string, boolean>>>({})
  const batch = typedBatch ?? packedOn.replaceAll('-', '')
  const product = products.find(({ id }) => id === productId)
  const chosen = product ? [{ product, count: toCount(copies) }] : ofDay
  const labels = chosen.filter(label => label.count > 0)
  const count = labels.reduce((sum, label) => sum + label.count, 0)
  return (
    <div className="flex flex-col gap-4 print:block">
      <div className="flex flex-col gap-4 print:hidden">
        <h2 className="text-lg lg:text-xl">{t('Pack labels')}</h2>
        <div className="grid gap-4 sm:grid-cols-2">
          <LabelledSelect
            label={t('Packs||goods')}
            value={productId}
            choices={[
              [ALL_OF_DAY, t('All packs of {day}', { day: formatDay(day) })],
              ...products.map(each => [each.id, toLabelName(each)] as const)
            ]}
            onType={setProductId}
          />
          {product && (
            <LabelledInput
              label={t('Number of labels')}
              type="number"
              min={1}
              max={MAX_COPIES}
              value={copies}
              onType={setCopies}
            />
          )}
          <LabelledInput
            label={t('Packed on')}
            type="date"
            required
            value={packedOn}
            onType={text => text && setPackedOn(text)}
          />
          <LabelledInput label={t('Batch')} maxLength={20} value={batch} onType={setTypedBatch} />
        </div>
        <p role="status">
          {count > 0 &&
            plural(count, '{count} label of 100 × 70 mm', '{count} labels of 100 × 70 mm')}
          {count === 0 &&
            t(
              product
                ? 'Enter how many labels you need.'
                : 'Nothing is ordered for this day. Choose a product, or go back to another day.'
            )}
        </p>
        {count > 0 && (
          <Button
            look="primary"
            label={t('Print labels')}
            className="self-start"
            onClick={() => print()}
          />
        )}
      </div>
      <div className="flex flex-col gap-4 xl:flex-row-reverse xl:items-start print:block">
        <Advice maker={maker} labels={labels} readable={readable} />
        <div className="pack-labels grow">
          {labels.map(label => (
            <PackLabels
              key={label.product.id}
              {...label}
              maker={maker}
              packedOn={packedOn}
              batch={batch}
              onFit={fits => setReadable(before => ({ ...before, [label.product.id]: fits }))}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function toCount(typed: string) {
  return Math.min(Math.max(Math.trunc(Number(typed)) || 0, 0), MAX_COPIES)
}

function toLabelName({ name, quantity }: LabelProduct) {
  return `${name}, ${formatPack(quantity)}`
}

interface AdviceProps {
  maker: LabelFacts['maker']
  labels: readonly LabelCopies[]
  readable: Readonly<Record<string, boolean>>
}

function Advice({ maker, labels, readable }: AdviceProps) {
  const may = useMay()
  const missing = findMissingOfMaker(maker)
  const ofShop = (['legal', 'shop'] as const).map(section => ({
    key: section,
    name: t('All labels'),
    missing: missing[section],
    mayEdit: may(`PUT /admin/settings/${section}`),
    href: `${paths.adminSettings}${toQuery({ section })}`
  }))
  const ofProducts = labels.map(({ product }) => ({
    key: product.id,
    name: toLabelName(product),
    missing: findMissingOfProduct(product),
    mayEdit: may('PATCH /admin/products/{id}'),
    href: `${paths.adminProducts}${toQuery({ product: product.id })}`
  }))
  const isLong = (key: string) => readable[key] === false
  const rows = [...(labels.length > 0 ? ofShop : []), ...ofProducts].filter(
    row => row.missing.length > 0 || isLong(row.key)
  )
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="advice" className="card shrink-0 p-4 xl:w-80 print:hidden">
      <h3 id="advice" className="font-semibold">
        {t('An adviser would add')}
      </h3>
      <ul className="divide-y divide-brass/40">
        {rows.map(({ key, name, missing: names, mayEdit, href }) => (
          <li key={key} className="py-2">
            <b>{name}:</b> {names.length > 0 && `${names.join(', ')}. `}
            {isLong(key) && `${t(TOO_LONG)} `}
            {mayEdit ? (
              <a href={href} className="link target" aria-label={t('Edit: {name}', { name })}>
                {t('Edit')}
              </a>
            ) : (
              t('Ask the owner.')
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
