import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import type { Order } from '#lib/contract/orders.ts'
import { CHECKOUT_MESSAGES } from '#lib/checkout/messages.ts'
import { MESSAGES } from '#lib/messages.ts'
import { toAddressLines } from '#lib/address.ts'
import { $profile, loadProfile, saveProfile } from '#lib/stores/profile.ts'
import { ActionButton } from '../form/ActionButton.tsx'
import { useSession } from '../account/use-session.ts'

export function SaveAddress({ order: { customerDetails, shippingAddress } }: { order: Order }) {
  const session = useSession()
  const profile = useStore($profile)
  const [saved, setSaved] = useState(false)
  const userId = session.state === 'authenticated' ? session.user._id : undefined
  useEffect(() => {
    if (userId !== undefined) void loadProfile(userId)
  }, [userId])

  if (saved) return <p role="status">{CHECKOUT_MESSAGES.orderAddressSaved}</p>
  if (profile.state !== 'ready') return null
  const { landmark: _landmark, ...address } = shippingAddress
  const isInProfile = toAddressLines(profile.details.address).join() === toAddressLines(address).join()
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
