import { useState } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import { formatPhone } from '#lib/contract/formats.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { hasParcel, listPacks } from '#lib/admin/orders.ts'
import { readStored, writeStored } from '#lib/stores/storage.ts'
import type { Seller } from '#lib/contract/orders.ts'
import { plural, t, text, texts } from '#lib/contract/texts.ts'
import { formatDelivery, giftLines, recipientOf } from '#lib/order.ts'
import { toShopAddressLines } from '#lib/settings.ts'
import { readOrdersById, type StaffOrder } from '#lib/stores/admin/orders.ts'
import { listPapers } from '#lib/tax/invoice.ts'
import { formatIndianTime } from '#lib/time.ts'
import { Invoice } from '../../orders/Invoice.tsx'
import { Button } from '../../ui/Button.tsx'
import { Lines } from '../../ui/Facts.tsx'
import { Loading } from '../../ui/States.tsx'
import { useGuard } from '../../ui/hooks.ts'
import { GiftMark } from '../kitchen/PackList.tsx'
import { LabelledSelect, Load } from '../ui/views.tsx'
import { ItemsToPack, type PrintTemplate } from './OrderDetail.tsx'

interface PrintPageProps {
  template: PrintTemplate
  ids: readonly string[]
  sender: Seller
  taxText: string
  onClose: () => void
}

const TITLES: Record<PrintTemplate, string> = texts({
  packing: 'Packing list',
  labels: 'Address labels',
  invoices: 'Invoices'
})

export function PrintPage({ template, onClose, ...sheets }: PrintPageProps) {
  const session = useGuard({ role: 'admin' })
  if (session.state !== 'authenticated') return <Loading />
  return (
    <div className="grid gap-6 py-6 print:block print:py-0">
      <div className="flex flex-wrap items-center gap-3 print:hidden">
        <h1 className="grow text-2xl">{TITLES[template]}</h1>
        <Button label={t('Back to orders')} onClick={onClose} />
        {sheets.ids.length > 0 && (
          <Button look="primary" label={t('Print')} autoFocus onClick={() => print()} />
        )}
      </div>
      <Sheets template={template} {...sheets} />
    </div>
  )
}

function Sheets({ template, ids, sender, taxText }: Omit<PrintPageProps, 'onClose'>) {
  const none = <p role="status">{ADMIN_MESSAGES.printNone}</p>
  if (ids.length === 0) return none
  return (
    <Load id={ids.join()} label={t('orders')} read={() => readOrdersById(ids)}>
      {orders => {
        if (orders.length === 0) return none
        return (
          <>
            <p role="status" className="text-sm text-ink/70 print:hidden">
              {plural(orders.length, '{count} order', '{count} orders')}
            </p>
            {template === 'packing' && <PackingList orders={orders.filter(hasParcel)} />}
            {template === 'labels' && (
              <Labels orders={orders.filter(({ isAnonymised }) => !isAnonymised)} sender={sender} />
            )}
            {template === 'invoices' && (
              <Invoices orders={orders} shop={{ seller: sender, taxText }} />
            )}
          </>
        )
      }}
    </Load>
  )
}

function PackingList({ orders }: { orders: readonly StaffOrder[] }) {
  return (
    <div className="grid gap-6 print:block">
      <section
        aria-labelledby="packs"
        className="card break-inside-avoid p-4 print:mb-6 print:p-0 print:shadow-none"
      >
        <h2 id="packs" className="text-lg">
          {t('Totals for all orders')}
        </h2>
        <ul className="mt-2 columns-1 gap-8 sm:columns-2 print:columns-2">
          {listPacks(orders).map(({ name, pack, count }) => (
            <li
              key={`${name} ${pack}`}
              className="flex justify-between gap-4 border-b border-brass/40 py-1"
            >
              <span className="min-w-0 break-words">
                {name} {pack && <span className="text-ink/70">{pack}</span>}
              </span>
              <b>{count}</b>
            </li>
          ))}
        </ul>
      </section>
      {orders.map(order => (
        <OrderSheet key={order._id} order={order} />
      ))}
    </div>
  )
}

function OrderSheet({ order }: { order: StaffOrder }) {
  const {
    _id,
    orderNumber,
    customerDetails,
    shippingAddress,
    items,
    eventAt,
    note,
    gift,
    isOnHold,
    isTest
  } = order
  return (
    <article
      aria-labelledby={`sheet-${_id}`}
      className={
        'card break-inside-avoid p-4 print:mb-4 print:rounded-none print:border-t ' +
        'print:border-ink print:p-0 print:pt-3 print:shadow-none'
      }
    >
      <div className="flex flex-wrap justify-between gap-x-4">
        <h2 id={`sheet-${_id}`} className="text-lg">
          {orderNumber}
        </h2>
        <p className="font-semibold">{formatDelivery(order)}</p>
      </div>
      <p className="break-words">
        {recipientOf(order)}, {shippingAddress.city} {shippingAddress.pincode}
        {customerDetails.phone && `, ${formatPhone(customerDetails.phone)}`}
      </p>
      {isTest && <p className="font-semibold">{ADMIN_MESSAGES.testOrder}</p>}
      {isOnHold && <p className="font-semibold">{ADMIN_MESSAGES.orderOnHoldInKitchen}</p>}
      {eventAt !== undefined && <p>{t('Event: {time}', { time: formatIndianTime(eventAt) })}</p>}
      {note !== undefined && (
        <p className="break-words font-semibold">
          {t('Note:')} <span className="whitespace-pre-line">{note}</span>
        </p>
      )}
      <GiftMark gift={gift} />
      <ItemsToPack items={items} hasBoxes />
    </article>
  )
}

const PAPERS = [
  ['sheet', text('A4 sheet with 8 labels')],
  ['single', text('One label per page (100 × 150 mm)')]
] as const
const PAPER = 'label-paper'

function Labels({ orders, sender }: { orders: readonly StaffOrder[]; sender: Seller }) {
  const [paper, setPaper] = useState(() => (readStored(PAPER) === 'single' ? 'single' : 'sheet'))
  const { name: shop, address, phone: shopPhone } = sender
  const from = [shop, ...toShopAddressLines(address), shopPhone].filter(Boolean).join(', ')
  return (
    <>
      <div className="max-w-sm print:hidden">
        <LabelledSelect
          label={t('Paper')}
          value={paper}
          choices={PAPERS}
          onType={chosen => {
            setPaper(chosen)
            writeStored(PAPER, chosen)
          }}
        />
      </div>
      <ul className="label-sheet" data-paper={paper}>
        {orders.map(order => {
          const { pincode, ...address } = order.shippingAddress
          const isPickup = order.deliveryMethod === 'pickup'
          return (
            <li key={order._id} className="label">
              <address className="min-h-0 overflow-hidden not-italic">
                <b className="block break-words text-[1.2em]">{recipientOf(order)}</b>
                <Lines
                  lines={
                    isPickup
                      ? [formatDelivery(order)]
                      : toAddressLines({ ...address, country: '' }).filter(Boolean)
                  }
                />
              </address>
              {/* Not the message, which is for the recipient's eyes. */}
              {order.gift && <b className="break-words">{giftLines(order.gift)[0]}</b>}
              {/* A long address is cut, but neither the pincode nor the sender. */}
              <p className="mt-auto flex shrink-0 flex-wrap items-baseline justify-between gap-x-4">
                {!isPickup && <b className="text-[2em]">{pincode}</b>}
                <span>
                  {t('Phone {number}', { number: formatPhone(order.customerDetails.phone) })}
                </span>
              </p>
              <p className="shrink-0 break-words text-[0.85em]">
                {order.isTest && <b>{t('Test order')} · </b>}
                <b>{order.orderNumber}</b> · {t('From {sender}', { sender: from })}
              </p>
            </li>
          )
        })}
      </ul>
    </>
  )
}

interface InvoicesProps {
  orders: readonly StaffOrder[]
  /** For orders older than the facts that invoices store. */
  shop: { seller: Seller; taxText: string }
}

/** The kitchen's orders have neither invoices nor credit notes. */
function Invoices({ orders, shop }: InvoicesProps) {
  const sheets = orders.flatMap(order => {
    if (!('totalAmount' in order)) return []
    return listPapers(order, shop).map(paper => ({ order, paper }))
  })
  if (sheets.length === 0) return <p role="status">{ADMIN_MESSAGES.printNone}</p>
  const gifts = orders.filter(({ gift }) => gift)
  return (
    <div className="grid gap-6 print:block">
      {gifts.map(({ _id, orderNumber: number }) => (
        <p key={_id} role="note" className="border-2 border-chilli p-3 font-semibold print:hidden">
          {t('{number} is a gift: don’t put its invoice into the parcel.', { number })}
        </p>
      ))}
      {sheets.map(({ order, paper }) => (
        <div key={paper.number} className="print:break-after-page print:last:break-after-auto">
          <Invoice order={order} paper={paper}>
            {order.isTest && <p className="mt-2 font-semibold">{ADMIN_MESSAGES.testOrder}</p>}
          </Invoice>
        </div>
      ))}
    </div>
  )
}
