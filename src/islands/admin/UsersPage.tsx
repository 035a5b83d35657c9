import { useRef, useState } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import type { Choices } from '#lib/account/forms.ts'
import { formatPhone } from '#lib/contract/formats.ts'
import { staffLabel } from '#lib/admin/access.ts'
import { api } from '#lib/api.ts'
import type { AdminUser } from '#lib/contract/accounts.ts'
import { formatCount } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { logOutUser, setStaff } from '#lib/stores/admin/access.ts'
import { formatDate } from '#lib/time.ts'
import { ConfirmButton } from '../ui/Buttons.tsx'
import { Fact } from '../ui/Facts.tsx'
import { toQuery, useQuery } from '../ui/history.ts'
import { Invitations, RoleChoice } from './Invitations.tsx'
import { AdminFrame } from './ui/AdminFrame.tsx'
import { type Column, DataTable } from './ui/DataTable.tsx'
import { PagedList } from './ui/FilterBar.tsx'
import { ChangeHistory } from './ui/RecordPage.tsx'
import {
  BackLink,
  FocusedHeading,
  Load,
  Note,
  useMay,
  useReturnFocus,
  viewLink
} from './ui/views.tsx'

const FILTERS: Choices = [
  ['', 'Everyone'],
  ['admin', 'Staff'],
  ['user', 'Customers']
]

const COLUMNS: readonly Column<AdminUser>[] = [
  {
    label: 'Name',
    cell: ({ _id, name, email }) => (
      <a {...viewLink({ user: _id })} className="block min-h-target hover:text-chilli">
        <span className="block break-words underline underline-offset-4">{name}</span>
        <span className="block break-all text-sm font-normal text-ink/70">{email}</span>
      </a>
    )
  },
  { label: 'Phone', cell: ({ phoneNumber }) => (phoneNumber ? formatPhone(phoneNumber) : '–') },
  { label: 'Role', cell: ({ staff }) => staffLabel(staff) },
  { label: 'Orders', numeric: true, cell: ({ orders }) => orders },
  { label: 'Registered', cell: ({ createdAt }) => formatDate(createdAt) }
]

export function UsersPage() {
  const query = useQuery()
  const may = useMay()
  const id = new URLSearchParams(query).get('user')
  const lastListQuery = useRef('')
  if (!id) lastListQuery.current = query
  return (
    <AdminFrame section="users">
      {id ? (
        <div key={id} className="grid gap-4">
          <BackLink to="All users" {...viewLink(lastListQuery.current)} />
          <Load label="user" read={() => api('GET /admin/users/{id}', { params: { id } })}>
            {(user, reload) => <Detail user={user} onChanged={() => void reload()} />}
          </Load>
        </div>
      ) : (
        <>
          {may('GET /admin/invitations') && <Invitations />}
          <PagedList
            filterName="role"
            filters={FILTERS}
            noun="user"
            read={query => api('GET /admin/users', { query })}
          >
            {({ users }) => users.length > 0 && <UserTable users={users} />}
          </PagedList>
        </>
      )}
    </AdminFrame>
  )
}

function UserTable({ users }: { users: readonly AdminUser[] }) {
  useReturnFocus()
  return <DataTable caption="Users" columns={COLUMNS} rows={users} getKey={({ _id }) => _id} />
}

interface UserProps {
  user: AdminUser
  onChanged: () => void
}

function Detail({ user, onChanged }: UserProps) {
  const { _id, name, email, phoneNumber, address, staff, verified, createdAt, orders, sessions } =
    user
  const may = useMay()
  return (
    <article aria-labelledby="user" className="card grid gap-4 p-4 sm:p-6">
      <FocusedHeading id="user">{name}</FocusedHeading>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact term="Email">
          <a href={`mailto:${email}`} className="link target break-all">
            {email}
          </a>
          {!verified && <Note>not verified</Note>}
        </Fact>
        <Fact term="Phone">{phoneNumber ? formatPhone(phoneNumber) : 'none'}</Fact>
        <Fact term="Role">
          <span role="status">{staffLabel(staff)}</span>
        </Fact>
        <Fact term="Registered">{formatDate(createdAt)}</Fact>
        <Fact term="Orders">
          {orders === 0 ? (
            'none'
          ) : (
            <a href={`${paths.adminOrders}${toQuery({ user: _id })}`} className="link target">
              {formatCount(orders, 'order')}
            </a>
          )}
        </Fact>
        <Fact term="Devices">{sessions === 0 ? 'none' : sessions}</Fact>
        {address && toAddressLines(address).length > 0 && (
          <Fact term="Address">{toAddressLines(address).join(', ')}</Fact>
        )}
      </dl>
      <div className="flex flex-wrap gap-3">
        {staff !== null && may('POST /admin/users/{id}/staff') && (
          <RoleButton user={user} onChanged={onChanged} />
        )}
        {sessions > 0 && may('POST /admin/users/{id}/logout') && (
          <ConfirmButton
            label="Log out everywhere"
            title={`Log ${name} out everywhere?`}
            confirmLabel="Log out everywhere"
            busyLabel="Logging out…"
            onConfirm={async () => {
              await logOutUser(user)
              onChanged()
            }}
          >
            {name} will have to log in again on every device.
          </ConfirmButton>
        )}
      </div>
      <ChangeHistory
        key={`${staff} ${sessions}`}
        kinds={['user']}
        id={_id}
        labels={{ staff: 'Role' }}
        format={(_, value) => staffLabel(value as AdminUser['staff'])}
      />
    </article>
  )
}

function RoleButton({ user, onChanged }: UserProps) {
  const { name, staff } = user
  const [choice, setChoice] = useState<AdminUser['staff']>()
  const selected = choice === undefined ? staff : choice
  const save = async () => {
    if (selected === staff) return
    await setStaff(user, selected, onChanged)
    setChoice(undefined)
    onChanged()
  }
  return (
    <ConfirmButton
      label="Change role"
      title={`Role of ${name}`}
      confirmLabel="Save role"
      busyLabel="Saving…"
      onConfirm={save}
    >
      <RoleChoice legend={`Role of ${name}`} chosen={selected} onChoose={setChoice} />
    </ConfirmButton>
  )
}
