import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { api } from '#lib/api.ts'
import type { LabelFacts, LabelProduct } from '#lib/contract/kitchen.ts'
import {
  findMissingOfMaker,
  findMissingOfProduct,
  type LabelCopies,
  labelsOfOrders,
  type MissingSetting
} from '#lib/kitchen/labels.ts'
import { formatCount } from '#lib/messages.ts'
import { formatDay } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { formatPack } from '#lib/product.ts'
import { $kitchenDay, loadKitchenDay, watchKitchenDay } from '#lib/stores/admin/kitchen-day.ts'
import { toDayInIndia } from '#lib/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Options } from '../../ui/Field.tsx'
import { toQuery } from '../../ui/history.ts'
import { LabelledInput, Load, Loaded, useMay } from '../ui/views.tsx'
import { PackLabels } from './PackLabels.tsx'

const TOO_LONG =
  'The text does not fit on 100 × 70 mm, even in the smallest letters. Shorten the ' +
  'ingredients or the nutrition.'
const MAX_COPIES = 500
const ALL_OF_DAY = ''

export function LabelsView({ date }: { date: string | undefined }) {
  const day = useStore($kitchenDay)
  useEffect(() => watchKitchenDay(date), [date])
  return (
    <Load label="labels" read={() => api('GET /admin/kitchen/labels')}>
      {facts => (
        <Loaded state={day} label="orders" onRetry={() => loadKitchenDay(date)}>
          {loaded => (
            <Labels
              facts={facts}
              day={loaded.day}
              ofDay={labelsOfOrders(facts.products, loaded.orders)}
            />
          )}
        </Loaded>
      )}
    </Load>
  )
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
  const [tooLong, setTooLong] = useState<ReadonlySet<string>>(new Set())
  const batch = typedBatch ?? packedOn.replaceAll('-', '')
  const product = products.find(({ id }) => id === productId)
  const chosen = product ? [{ product, count: toCount(copies) }] : ofDay
  const checked = chosen.map(label => ({ ...label, missing: findMissingOfProduct(label.product) }))
  const missingOfMaker = findMissingOfMaker(maker)
  const printable = checked.filter(
    label => label.count > 0 && label.missing.length === 0 && !tooLong.has(label.product.id)
  )
  const labels = missingOfMaker.length === 0 ? printable : []
  const count = labels.reduce((sum, label) => sum + label.count, 0)
  return (
    <div className="flex flex-col gap-4 print:block">
      <div className="flex flex-col gap-4 print:hidden">
        <h2 className="text-lg lg:text-xl">Pack labels</h2>
        <div className="grid gap-4 sm:grid-cols-2">
          <label className="font-semibold">
            Packs
            <select
              className="field font-normal"
              value={productId}
              onChange={({ target }) => setProductId(target.value)}
            >
              <Options
                choices={[
                  [ALL_OF_DAY, `All packs of ${formatDay(day)}`],
                  ...products.map(each => [each.id, toLabelName(each)] as const)
                ]}
              />
            </select>
          </label>
          {product && (
            <LabelledInput
              label="Number of labels"
              type="number"
              min={1}
              max={MAX_COPIES}
              value={copies}
              onType={setCopies}
            />
          )}
          <LabelledInput
            label="Packed on"
            type="date"
            required
            value={packedOn}
            onType={text => text && setPackedOn(text)}
          />
          <LabelledInput
            label="Batch"
            maxLength={20}
            value={batch}
            onType={text => {
              setTypedBatch(text)
              setTooLong(new Set())
            }}
          />
        </div>
        <p role="status">
          {count > 0 && `${formatCount(count, 'label')} of 100 × 70 mm`}
          {count === 0 &&
            (chosen.length > 0
              ? 'No label can be printed yet. See below why.'
              : 'Nothing is ordered for this day. Choose a product, or go back to another day.')}
        </p>
        {count > 0 && (
          <Button
            look="primary"
            label="Print labels"
            className="self-start"
            onClick={() => print()}
          />
        )}
        <Refused missingOfMaker={missingOfMaker} labels={checked} tooLong={tooLong} />
      </div>
      <div className="pack-labels">
        {labels.map(label => (
          <PackLabels
            key={label.product.id}
            {...label}
            maker={maker}
            packedOn={packedOn}
            batch={batch}
            onTooLong={() => setTooLong(before => new Set([...before, label.product.id]))}
          />
        ))}
      </div>
    </div>
  )
}

function toCount(typed: string): number {
  return Math.min(Math.max(Math.trunc(Number(typed)) || 0, 0), MAX_COPIES)
}

function toLabelName({ name, quantity }: LabelProduct) {
  return `${name}, ${formatPack(quantity)}`
}

interface RefusedProps {
  missingOfMaker: readonly MissingSetting[]
  labels: readonly (LabelCopies & { missing: readonly string[] })[]
  tooLong: ReadonlySet<string>
}

function Refused({ missingOfMaker, labels, tooLong }: RefusedProps) {
  const may = useMay()
  const refused = labels.filter(
    ({ product, missing }) => missing.length > 0 || tooLong.has(product.id)
  )
  if (missingOfMaker.length === 0 && refused.length === 0) return null
  return (
    <section aria-labelledby="refused" className="card border-2 border-chilli p-4">
      <h3 id="refused" className="font-semibold text-chilli">
        Not printed
      </h3>
      <ul className="divide-y divide-brass/40">
        {missingOfMaker.map(({ label, section }) => (
          <li key={label} className="py-2">
            All labels: {label} is missing.{' '}
            <FormLink
              isAllowed={may(`PUT /admin/settings/${section}`)}
              href={`${paths.adminSettings}${toQuery({ section })}`}
              name={label}
            />
          </li>
        ))}
        {refused.map(({ product, missing }) => (
          <li key={product.id} className="py-2">
            <b>{toLabelName(product)}:</b>{' '}
            {missing.length > 0 ? `missing ${missing.join(', ')}.` : TOO_LONG}{' '}
            <FormLink
              isAllowed={may('PATCH /admin/products/{id}')}
              href={`${paths.adminProducts}${toQuery({ product: product.id })}`}
              name={toLabelName(product)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function FormLink({ isAllowed, href, name }: { isAllowed: boolean; href: string; name: string }) {
  if (!isAllowed) return 'Ask the owner or a manager to add it.'
  return (
    <a href={href} className="link" aria-label={`Edit: ${name}`}>
      Edit
    </a>
  )
}
