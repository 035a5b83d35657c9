import type { ReactNode } from 'react'
import { toAddressLines } from '#lib/address.ts'
import { formatPhone } from '#lib/phone.ts'
import type { ProfileDetails } from '#lib/stores/profile.ts'

const NOT_PROVIDED = <span className="text-ink/70">Not added yet</span>

export function ProfileView({ details, onEdit }: { details: ProfileDetails; onEdit: () => void }) {
  const { name, email, phoneNumber, address } = details
  const lines = toAddressLines(address)
  return (
    <>
      <dl className="mt-4 grid gap-4">
        <Fact term="Name">{name || NOT_PROVIDED}</Fact>
        <Fact term="Email">{email}</Fact>
        <Fact term="Phone number">{phoneNumber ? formatPhone(phoneNumber) : NOT_PROVIDED}</Fact>
        <Fact term="Shipping address">
          {lines.length > 0
            ? lines.map((line, index) => (
                <span key={index} className="block">
                  {line}
                </span>
              ))
            : NOT_PROVIDED}
        </Fact>
      </dl>
      <button type="button" data-edit className="button-primary mt-6" onClick={onEdit}>
        Edit
      </button>
    </>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 sm:grid-cols-[9rem_1fr]">
      <dt className="font-semibold">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
