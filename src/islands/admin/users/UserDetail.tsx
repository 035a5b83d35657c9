import { useEffect, useRef, type ReactNode } from 'react'
import { toAddressLines } from '#lib/address.ts'
import { formatOrderCount } from '#lib/admin/messages.ts'
import type { AdminUser } from '#lib/contract/accounts.ts'
import { paths } from '#lib/paths.ts'
import { formatPhone } from '#lib/phone.ts'
import { readUser } from '#lib/stores/admin/users.ts'
import { formatDate } from '#lib/time.ts'
import { ViewLink } from '../ui/ViewLink.tsx'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { useLoad } from '../ui/use-load.ts'
import { LogOutUser } from './LogOutUser.tsx'
import { RoleButton } from './RoleButton.tsx'
import { roleLabel } from './UserTable.tsx'

export function UserDetail({ id, listQuery }: { id: string; listQuery: string }) {
  const [result, reload] = useLoad(id, () => readUser(id))
  return (
    <div className="grid gap-4">
      <p>
        <ViewLink query={listQuery} className="link target">
          ← All users
        </ViewLink>
      </p>
      <Loaded state={result} label="user" onRetry={() => void reload()}>
        {user => <Detail user={user} onChanged={() => void reload()} />}
      </Loaded>
    </div>
  )
}

function Detail({ user, onChanged }: { user: AdminUser; onChanged: () => void }) {
  const { _id, name, email, phoneNumber, address, role, verified, createdAt, orders, sessions } = user
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <article aria-labelledby="user" className="card grid gap-4 p-4 sm:p-6">
      <h2 id="user" ref={heading} tabIndex={-1} className="break-words text-xl outline-none">
        {name}
      </h2>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact term="E-mail">
          <a href={`mailto:${email}`} className="link target break-all">
            {email}
          </a>
          {!verified && <span className="block text-sm text-ink/70">not verified</span>}
        </Fact>
        <Fact term="Phone">{phoneNumber ? formatPhone(phoneNumber) : 'none'}</Fact>
        <Fact term="Role">
          <span role="status">{roleLabel(role)}</span>
        </Fact>
        <Fact term="Registered">{formatDate(createdAt)}</Fact>
        <Fact term="Orders">
          {orders === 0 ? (
            'none'
          ) : (
            <a href={`${paths.adminOrders}?${new URLSearchParams({ user: _id })}`} className="link target">
              {formatOrderCount(orders)}
            </a>
          )}
        </Fact>
        <Fact term="Devices">{sessions === 0 ? 'none' : sessions}</Fact>
        {address && toAddressLines(address).length > 0 && (
          <Fact term="Address">{toAddressLines(address).join(', ')}</Fact>
        )}
      </dl>
      <div className="flex flex-wrap gap-3">
        <RoleButton user={user} onChanged={onChanged} />
        <LogOutUser user={user} onDone={onChanged} />
      </div>
      <ChangeHistory key={`${role} ${sessions}`} kinds={['user']} id={_id} labels={{}} />
    </article>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="font-semibold">{term}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  )
}
