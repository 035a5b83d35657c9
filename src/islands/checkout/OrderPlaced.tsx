import { useEffect, useRef, useState } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import type { Order } from '#lib/contract/orders.ts'
import { MESSAGES } from '#lib/messages.ts'
import { listNextSteps } from '#lib/order.ts'
import { paths } from '#lib/paths.ts'
import { saveProfile } from '#lib/stores/account.ts'
import { closePayment } from '#lib/stores/payment.ts'
import { useSession } from '../account/use-session.ts'
import { OrderItems } from '../orders/OrderParts.tsx'
import { Button, ButtonLink } from '../ui/Button.tsx'
import { ActionButton } from '../ui/Buttons.tsx'
import { Icon } from '../ui/Icon.tsx'
import { useProfile } from './fill-form.ts'

export type ShopContact = Pick<Settings['shop'], 'name' | 'phone' | 'email'>

export function OrderPlaced({ order, shop }: { order: Order; shop: ShopContact }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    scrollTo({ top: 0, behavior: 'instant' })
  }, [])
  return (
    <div className="mx-auto max-w-prose pb-12">
      <div className="flex flex-col items-center gap-3 py-8 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-leaf text-paper">
          <Icon name="check" className="h-8 w-8" />
        </span>
        <h1 ref={heading} tabIndex={-1} className="text-2xl outline-none sm:text-3xl">
          {CHECKOUT_MESSAGES.orderPlaced}
        </h1>
        <p>
          Your order number is <b className="whitespace-nowrap">{order.orderNumber}</b>.
        </p>
        <p className="break-words">
          {CHECKOUT_MESSAGES.orderMailSentTo} <b>{order.customerDetails.email}</b>.
        </p>
      </div>
      <section className="card p-4 sm:p-6">
        <h2 className="text-xl">{CHECKOUT_MESSAGES.orderNext}</h2>
        <ol className="mt-3 grid list-decimal gap-2 pl-6">
          {listNextSteps(order).map(step => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <h2 className="mt-6 text-xl">Your order</h2>
        <OrderItems order={order} totalLabel="Total paid" />
      </section>
      <div className="flex flex-wrap justify-center gap-3 py-6 print:hidden">
        <ButtonLink look="primary" label={CHECKOUT_MESSAGES.viewOrders} href={paths.orders} />
        <Button label="Print this page" onClick={() => print()} />
        <ButtonLink label={MESSAGES.cartContinue} href={paths.products} onClick={closePayment} />
      </div>
      <SaveAddress order={order} />
      <div className="text-center">
        <ContactLine shop={shop} />
      </div>
    </div>
  )
}

function SaveAddress({ order: { customerDetails, shippingAddress } }: { order: Order }) {
  const { profile } = useProfile(useSession())
  const [saved, setSaved] = useState(false)

  if (saved) return <p role="status">{CHECKOUT_MESSAGES.orderAddressSaved}</p>
  if (profile.state !== 'ready') return null
  const { landmark: _landmark, ...address } = shippingAddress
  const isInProfile = toAddressLines(profile.value.address).join() === toAddressLines(address).join()
  if (isInProfile) return null
  return (
    <section aria-label="Address" className="card p-4 sm:p-6 print:hidden">
      <ActionButton
        label="Save address"
        busyLabel="Saving…"
        errorTitle={MESSAGES.profileNotSaved}
        action={async () => {
          const { name, phone: phoneNumber } = customerDetails
          await saveProfile({ name, phoneNumber, address })
          setSaved(true)
        }}
      >
        {CHECKOUT_MESSAGES.orderSaveAddress}
      </ActionButton>
    </section>
  )
}

export function ContactLine({ shop: { phone, email } }: { shop: ShopContact }) {
  const link = 'link inline-flex min-h-target items-center'
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-4 text-sm">
      Questions?
      <a href={`tel:${phone.replace(/\s/g, '')}`} className={link}>
        {phone}
      </a>
      <a href={`mailto:${email}`} className={link}>
        {email}
      </a>
    </p>
  )
}
