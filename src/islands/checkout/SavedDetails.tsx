import { toAddressLines } from '#lib/address.ts'
import { toDeliveryDetails, type CheckoutValues } from '#lib/checkout/checkout-form.ts'
import { formatPhone } from '#lib/phone.ts'

export function SavedDetails({ values, onEdit }: { values: CheckoutValues; onEdit: () => void }) {
  const { customerDetails, shippingAddress } = toDeliveryDetails(values)
  const { name, email, phone } = customerDetails
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <address className="min-w-0 not-italic">
        <b className="block break-words">{name}</b>
        {toAddressLines(shippingAddress).map(line => (
          <span key={line} className="block break-words">
            {line}
          </span>
        ))}
        <span className="mt-2 block break-words">{formatPhone(phone)}</span>
        <span className="block break-words">{email}</span>
      </address>
      <button type="button" className="button-quiet" onClick={onEdit}>
        Edit
      </button>
    </div>
  )
}
