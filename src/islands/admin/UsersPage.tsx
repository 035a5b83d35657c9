import { useRef, useState } from 'react'
import { toAddressLines } from '#lib/account/address.ts'
import type { Choices } from '#lib/account/forms.ts'
import { formatPhone } from '#lib/contract/formats.ts'
import { staffLabel } from '#lib/admin/access.ts'
import { api } from '#lib/api.ts'
import type { AdminUser } from '#lib/contract/accounts.ts'
import { plural, t, text } from '#lib/contract/texts.ts'
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
  ['', text('Everyone')],
  ['admin', text('Staff')],
  ['user', text('Customers')]
]

const COLUMNS: readonly Column<AdminUser>[] = [
  {
    label: text('Name'),
    cell: ({ _id, name, email }) => (
      <a {...viewLink({ user: _id })} className="block min-h-target hover:text-chilli">
        <span className="block break-words underline underline-offset-4">{name}</span>
        <span className="block break-all text-sm font-normal text-ink/70">{email}</span>
      </a>
    )
  },
  {
    label: text('Phone'),
    cell: ({ phoneNumber }) => (phoneNumber ? formatPhone(phoneNumber) : '–')
  },
  { label: text('Role'), cell: ({ staff }) => staffLabel(staff) },
  { label: text('Orders'), numeric: true, cell: ({ orders }) => orders },
  { label: text('Registered'), cell: ({ createdAt }) => formatDate(createdAt) }
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
          <BackLink to={t('All users')} {...viewLink(lastListQuery.current)} />
          <Load label={t('user')} read={() => api('GET /admin/users/{id}', { params: { id } })}>
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
  return <DataTable caption={t('Users')} columns={COLUMNS} rows={users} getKey={({ _id }) => _id} />
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
        <Fact term={t('Email')}>
          <a href={`mailto:${email}`} className="link target break-all">
            {email}
          </a>
          {!verified && <Note>{t('not verified')}</Note>}
        </Fact>
        <Fact term={t('Phone')}>{phoneNumber ? formatPhone(phoneNumber) : t('none')}</Fact>
        <Fact term={t('Role')}>
          <span role="status">{staffLabel(staff)}</span>
        </Fact>
        <Fact term={t('Registered')}>{formatDate(createdAt)}</Fact>
        <Fact term={t('Orders')}>
          {orders === 0 ? (
            t('none')
          ) : (
            <a href={`${paths.adminOrders}${toQuery({ user: _id })}`} className="link target">
              {plural(orders, '{count} order', '{count} orders')}
            </a>
          )}
        </Fact>
        <Fact term={t('Devices')}>{sessions === 0 ? t('none') : sessions}</Fact>
        {address && toAddressLines(address).length > 0 && (
          <Fact term={t('Address')}>{toAddressLines(address).join(', ')}</Fact>
        )}
      </dl>
      <div className="flex flex-wrap gap-3">
        {staff !== null && may('POST /admin/users/{id}/staff') && (
          <RoleButton user={user} onChanged={onChanged} />
        )}
        {sessions > 0 && may('POST /admin/users/{id}/logout') && (
          <ConfirmButton
            label={t('Log out everywhere||other')}
            title={t('Log {name} out everywhere?', { name })}
            confirmLabel={t('Log out everywhere||other')}
            busyLabel={t('Logging out…')}
            onConfirm={async () => {
              await logOutUser(user)
              onChanged()
            }}
          >
            {t('{name} will have to log in again on every device.', { name })}
          </ConfirmButton>
        )}
      </div>
      <ChangeHistory
        key={`${staff} ${sessions}`}
        kinds={['user']}
        id={_id}
        labels={{ staff: t('Role') }}
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
      label={t('Change role')}
      title={t('Role of {name}', { name })}
      confirmLabel={t('Save role')}
      busyLabel={t('Saving…')}
      onConfirm={save}
    >
      <RoleChoice legend={t('Role of {name}', { name })} chosen={selected} onChoose={setChoice} />
    </ConfirmButton>
  )
}
