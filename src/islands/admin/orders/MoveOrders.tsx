import { type ReactNode, useId, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { groupByNextStatus, nextStatus } from '#lib/admin/orders.ts'
import { ORDER_LIMITS, SETTING_LIMITS } from '#lib/constants.ts'
import type { Shipment } from '#lib/contract/orders.ts'
import { plural, t } from '#lib/contract/texts.ts'
import { STATUS_LABELS, toStatusLabel } from '#lib/order.ts'
import { notifyFailure, toastErrors } from '#lib/stores/admin/notices.ts'
import {
  setOrderStatus,
  setOrderStatuses,
  shipOrders,
  type StaffOrder,
  toastOrderErrors
} from '#lib/stores/admin/orders.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Failure, SubmitButton } from '../../ui/Buttons.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Field } from '../../ui/Field.tsx'
import { useForm } from '../../ui/use-form.ts'
import { StickyBar } from '../ui/FilterBar.tsx'
import { Note } from '../ui/views.tsx'

export function StatusButton({ order, primary = false }: { order: StaffOrder; primary?: boolean }) {
  const [isShipping, setIsShipping] = useState(false)
  const next = nextStatus(order)
  if (next === undefined) return null
  const label = t('Mark as {status}', { status: toStatusLabel(next, order).toLowerCase() })
  const update = () => toastOrderErrors(order, () => setOrderStatus(order, next))
  return (
    <>
      <Button
        look={primary ? 'primary' : 'quiet'}
        label={label}
        className={primary ? '' : 'w-full xl:w-auto xl:px-3'}
        aria-label={t('{action}: order {number}', { action: label, number: order.orderNumber })}
        // The second click of a double click would already mean the next status.
        onClick={({ detail }) =>
          detail < 2 && (next === 'shipped' ? setIsShipping(true) : void update())
        }
      />
      {isShipping && <ShipOrders orders={[order]} onClose={() => setIsShipping(false)} />}
    </>
  )
}

export function ChangeTracking({ order }: { order: StaffOrder }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button label={t('Change tracking')} onClick={() => setIsOpen(true)} />
      {isOpen && <ShipOrders orders={[order]} onClose={() => setIsOpen(false)} />}
    </>
  )
}

interface SelectionBarProps {
  orders: readonly StaffOrder[]
  onUnselect: (orders: readonly StaffOrder[]) => void
  children: ReactNode
}

export function SelectionBar({ orders, onUnselect, children }: SelectionBarProps) {
  const [shipping, setShipping] = useState<readonly StaffOrder[]>()
  return (
    <StickyBar>
      <p role="status" className="grow font-semibold">
        {plural(orders.length, '{count} order selected', '{count} orders selected')}
      </p>
      {groupByNextStatus(orders).map(({ from, to, orders: matching }) => {
        const update = () => setOrderStatuses(matching, from, to).then(() => onUnselect(matching))
        const move = () => void toastErrors(update, ADMIN_MESSAGES.ordersFailed, 'selected orders')
        return (
          <Button
            look="primary"
            label={t('Mark {count} as {status}', {
              count: matching.length,
              status: STATUS_LABELS[to].toLowerCase()
            })}
            key={`${from} ${to}`}
            onClick={() => (to === 'shipped' ? setShipping(matching) : move())}
          />
        )
      })}
      {shipping && (
        <ShipOrders
          orders={shipping}
          onClose={() => setShipping(undefined)}
          onDone={() => onUnselect(shipping)}
        />
      )}
      {children}
      <IconButton icon="close" label={t('Clear selection')} onClick={() => onUnselect(orders)} />
    </StickyBar>
  )
}

interface ShipOrdersProps {
  orders: readonly StaffOrder[]
  onClose: () => void
  onDone?: () => void
}

function ShipOrders({ orders, onClose, onDone = onClose }: ShipOrdersProps) {
  const only = orders.length === 1 ? orders[0] : undefined
  const known = only?.shipment
  const [courier, setCourier] = useState(known?.courier ?? '')
  const couriers = useId()
  const title = only
    ? t(known ? 'Tracking of order {number}' : 'Ship order {number}', { number: only.orderNumber })
    : plural(orders.length, 'Ship {count} order', 'Ship {count} orders')
  const { form, field, failure, busy } = useForm({
    names: ['shipment.courier', ...orders.map(({ _id }) => _id), 'shipment.trackingLink'],
    initial: {
      'shipment.courier': known?.courier ?? '',
      'shipment.trackingLink': known?.trackingLink ?? '',
      ...(only && known && { [only._id]: known.trackingNumber })
    },
    check: values =>
      values['shipment.courier']?.trim()
        ? {}
        : { 'shipment.courier': ADMIN_MESSAGES.courierRequired },
    send: async values => {
      const { 'shipment.courier': to = '', 'shipment.trackingLink': link = '' } = values
      await shipOrders(orders, ({ _id }) => toShipment(to, values[_id] ?? '', link))
    },
    errorText: { title: ADMIN_MESSAGES.ordersFailed },
    onDone,
    onMissed: error => notifyFailure(ADMIN_MESSAGES.notSaved(title), error)
  })
  return (
    <Dialog open onClose={onClose} title={title} shape="box">
      <form {...form} className="grid gap-4 overflow-y-auto px-4 pb-4" aria-label={title}>
        <Field
          state={field('shipment.courier')}
          label={t('Courier')}
          list={couriers}
          autoComplete="off"
          maxLength={ORDER_LIMITS.courier}
          onInput={({ currentTarget }) => setCourier(currentTarget.value)}
        />
        <datalist id={couriers}>
          {Object.keys(COURIERS).map(name => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {orders.map(({ _id, orderNumber, customerDetails }) => (
          <Field
            key={_id}
            state={field(_id)}
            label={
              only
                ? t('Tracking number')
                : t('Tracking number of {number}, {name}', {
                    number: orderNumber,
                    name: customerDetails.name
                  })
            }
            autoComplete="off"
            maxLength={ORDER_LIMITS.courier}
          />
        ))}
        {findTrackingPage(courier) === undefined && (
          <Field
            state={field('shipment.trackingLink')}
            label={t('Tracking page')}
            hint={t('Optional. For the couriers in the list, we add it.')}
            type="url"
            inputMode="url"
            placeholder="https://"
            maxLength={SETTING_LIMITS.text}
          />
        )}
        <Note>
          {known
            ? t('The customer sees the change under My Orders.')
            : t(
                only
                  ? 'The customer gets an email with the courier and the tracking number.'
                  : 'Each customer gets an email with the courier and the tracking number.'
              )}
        </Note>
        <Failure failure={failure} busy={busy} />
        <SubmitButton
          label={t(known ? 'Save' : 'Mark as shipped')}
          busyLabel={t('Saving…')}
          busy={busy}
        />
      </form>
    </Dialog>
  )
}

/** Tracking pages by courier. Where one has no `{number}`, shoppers enter it there. */
const COURIERS: Record<string, string> = {
  'ST Courier': 'https://stcourier.com/track/shipment',
  'Professional Couriers': 'https://www.tpcindia.com/',
  DTDC: 'https://www.dtdc.com/track-your-shipment/',
  'India Post (Speed Post)': 'https://www.indiapost.gov.in/',
  Delhivery: 'https://www.delhivery.com/track-v2/package/{number}',
  'Blue Dart': 'https://www.bluedart.com/trackdartresultthirdparty?trackFor=0&trackNo={number}'
}

function findTrackingPage(courier: string) {
  const wanted = courier.trim().toLowerCase()
  return Object.entries(COURIERS).find(([name]) => name.toLowerCase() === wanted)?.[1]
}

function toShipment(courier: string, trackingNumber: string, link: string): Shipment {
  const page = findTrackingPage(courier)
  if (page === undefined) return { courier, trackingNumber, trackingLink: link }
  const trackingLink =
    trackingNumber && page.replace('{number}', encodeURIComponent(trackingNumber))
  return { courier, trackingNumber, trackingLink }
}
