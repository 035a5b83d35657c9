import { toAddressLines } from '#lib/account/address.ts'
import { formatPhone } from '#lib/account/forms.ts'
import { ADMIN_MESSAGES, formatOrderCount } from '#lib/admin/messages.ts'
import type { AdminUser } from '#lib/contract/accounts.ts'
import { paths } from '#lib/paths.ts'
import { logOutUser, readUser, setRole } from '#lib/stores/admin/requests.ts'
import { formatDate } from '#lib/time.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Fact } from '../../ui/Facts.tsx'
import { toQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { ChangeHistory } from '../ui/ChangeHistory.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { BackLink, FocusedHeading } from '../ui/RecordView.tsx'

export function UserDetail({ id, listQuery }: { id: string; listQuery: string }) {
  const [result, reload] = useLoad(id, () => readUser(id))
  return (
    <div className="grid gap-4">
      <BackLink noun="user" listQuery={listQuery} />
      <Loaded state={result} label="user" onRetry={() => void reload()}>
        {user => <Detail user={user} onChanged={() => void reload()} />}
      </Loaded>
    </div>
  )
}

function Detail({ user, onChanged }: { user: AdminUser; onChanged: () => void }) {
  const { _id, name, email, phoneNumber, address, role, verified, createdAt, orders, sessions } = user
  return (
    <article aria-labelledby="user" className="card grid gap-4 p-4 sm:p-6">
      <FocusedHeading id="user">{name}</FocusedHeading>
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
            <a href={`${paths.adminOrders}${toQuery({ user: _id })}`} className="link target">
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
        {sessions > 0 && <LogOutUser user={user} onDone={onChanged} />}
      </div>
      <ChangeHistory key={`${role} ${sessions}`} kinds={['user']} id={_id} labels={{}} />
    </article>
  )
}

export function roleLabel(role: AdminUser['role']): string {
  return role === 'admin' ? 'Administrator' : 'Customer'
}

function RoleButton({ user, onChanged }: { user: AdminUser; onChanged: () => void }) {
  const { name, email, role } = user
  const isAdmin = role === 'admin'
  const label = isAdmin ? 'Remove as administrator' : 'Make administrator'
  return (
    <ConfirmButton
      label={label}
      title={isAdmin ? `Remove ${name} as administrator?` : `Make ${name} an administrator?`}
      confirmLabel={label}
      busyLabel="Saving…"
      errorTitle={ADMIN_MESSAGES.saveFailed}
      onConfirm={async () => {
        await setRole(user, isAdmin ? 'user' : 'admin', onChanged)
        onChanged()
      }}
    >
      {isAdmin
        ? `${name} will lose access to the admin pages.`
        : `${name} (${email}) will be able to see all orders and users, and change everything in the shop.`}
    </ConfirmButton>
  )
}

function LogOutUser({ user, onDone }: { user: AdminUser; onDone: () => void }) {
  return (
    <ConfirmButton
      label="Log out everywhere"
      title={`Log ${user.name} out everywhere?`}
      confirmLabel="Log out everywhere"
      busyLabel="Logging out…"
      errorTitle={ADMIN_MESSAGES.saveFailed}
      onConfirm={async () => {
        await logOutUser(user)
        onDone()
      }}
    >
      {user.name} will have to log in again on every device.
    </ConfirmButton>
  )
}
