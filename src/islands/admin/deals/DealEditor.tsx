import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import { DEAL_LABELS, toDealState, formatDealState, formatDealField } from '#lib/admin/deal-form.ts'
import { ADMIN_MESSAGES, formatDrawnCount } from '#lib/admin/messages.ts'
import type { AdminDeal } from '#lib/contract/deals.ts'
import { formatRupees } from '#lib/money.ts'
import { paths } from '#lib/paths.ts'
import { readDeal } from '#lib/stores/admin/deals.ts'
import { getShopTime, $now } from '#lib/stores/shop-clock.ts'
import { formatDayAndTime } from '#lib/time.ts'
import { ViewLink } from '../ui/ViewLink.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { useLoad } from '../ui/use-load.ts'
import { repeatQuery } from './deals-view.ts'
import { DeleteDeal } from './DeleteDeal.tsx'
import { TermsForm } from './TermsForm.tsx'

export function DealEditor({ id, onClose }: { id: string; onClose: () => void }) {
  const [result, reload] = useLoad(id, () => readDeal(id))
  return (
    <div className="grid gap-4">
      <p>
        <ViewLink query="" className="link target">
          ← All deals
        </ViewLink>
      </p>
      <Loaded state={result} label="deal" onRetry={() => void reload()}>
        {deal => <Deal original={deal} onClose={onClose} />}
      </Loaded>
    </div>
  )
}

function Deal({ original, onClose }: { original: AdminDeal; onClose: () => void }) {
  // Set only if the user chooses the other person's version in an edit conflict.
  const [theirs, setTheirs] = useState<AdminDeal>()
  const deal = theirs ?? original
  const now = useStore($now) ?? getShopTime()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { id, name, product, drawn, hidden } = deal
  return (
    <article aria-labelledby="deal" className="card grid gap-5 p-4 sm:p-6">
      <div>
        <h2 id="deal" ref={heading} tabIndex={-1} className="break-words text-xl outline-none">
          {name}
        </h2>
        <p className="font-semibold">{formatDealState(deal, now)}</p>
        <p className="text-sm text-ink/70">{formatDrawnCount(drawn)}</p>
        {!hidden && (
          <p>
            <a className="link target" href={paths.product(product._id)}>
              View product on the website
            </a>
          </p>
        )}
      </div>
      {toDealState(deal, now) === 'ended' ? (
        <EndedDeal deal={deal} />
      ) : (
        <TermsForm key={deal.version} original={deal} onUseTheirs={setTheirs} onClose={onClose} />
      )}
      <div>
        <ChangeHistory kinds={['deal']} id={id} labels={DEAL_LABELS} format={formatDealField} />
        <div className="border-t border-brass/40 pt-4">
          <DeleteDeal deal={deal} onDone={onClose} />
        </div>
      </div>
    </article>
  )
}

function EndedDeal({
  deal: { id, originalPrice, currentPrice, discountPercentage, startTime, endTime }
}: {
  deal: AdminDeal
}) {
  return (
    <>
      <p>{ADMIN_MESSAGES.dealEnded}</p>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact term="Discount" text={`up to ${discountPercentage}%`} />
        <Fact
          term="Price"
          text={`${formatRupees(originalPrice)}, or as low as ${formatRupees(currentPrice)} with the discount`}
        />
        <Fact term="Start" text={formatDayAndTime(startTime)} />
        <Fact term="End" text={formatDayAndTime(endTime)} />
      </dl>
      <p>
        <ViewLink query={repeatQuery(id)} className="button-primary">
          Repeat this deal
        </ViewLink>
      </p>
    </>
  )
}

function Fact({ term, text }: { term: string; text: string }) {
  return (
    <div>
      <dt className="font-semibold">{term}</dt>
      <dd>{text}</dd>
    </div>
  )
}
