import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { useEffect, type ReactNode } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { SectionId } from '#lib/admin/sections.ts'
import type { LoadState } from '#lib/stores/load-state.ts'
import type { StoredUser } from '#lib/stores/session.ts'
import { notify } from '#lib/stores/toasts.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { pushQuery, toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame } from './AdminFrame.tsx'
import { Loaded } from './Loaded.tsx'
import { NEW_ID, viewLink } from './views.tsx'
import { toastErrors } from '#lib/stores/admin/notices.ts'

interface RecordPageProps<Item> {
  section: SectionId
  /** Also the parameter of the URL that has the id of the open record. */
  noun: 'collection' | 'coupon' | 'post'
  addLabel: string
  store: { $list: ReadableAtom<LoadState<readonly Item[]>>; load: () => Promise<void> }
  editor: (id: string, user: StoredUser) => ReactNode
  children: (list: readonly Item[]) => ReactNode
}

export function RecordPage<Item>(props: RecordPageProps<Item>) {
  const { section, noun, addLabel, editor } = props
  const id = new URLSearchParams(useQuery()).get(noun) || undefined
  const addButton = (
    <ButtonLink look="primary" label={addLabel} {...viewLink(toQuery({ [noun]: NEW_ID }))} />
  )
  return (
    <AdminFrame section={section} action={!id && addButton}>
      {user => (id === undefined ? <List {...props} /> : editor(id, user))}
    </AdminFrame>
  )
}

function List<Item>({ noun, store: { $list, load }, children }: RecordPageProps<Item>) {
  const list = useStore($list)
  useEffect(() => void load(), [load])
  return (
    <Loaded state={list} label={`${noun}s`} onRetry={load}>
      {children}
    </Loaded>
  )
}

interface RowActionsProps {
  query: string
  label?: string
  name: string
  children: ReactNode
}

export function RowActions({ query, label = 'Edit', name, children }: RowActionsProps) {
  return (
    <div className="flex flex-wrap gap-2 xl:flex-nowrap xl:justify-end">
      <ButtonLink label={label} {...viewLink(query)} aria-label={`${label} ${name}`} />
      {children}
    </div>
  )
}

interface ToggleButtonProps {
  label: string
  id: string
  name: string
  action: () => Promise<void>
}

export function ToggleButton({ label, id, name, action }: ToggleButtonProps) {
  return (
    <Button
      label={label}
      className="whitespace-nowrap"
      aria-label={`${label} ${name}`}
      onClick={() => void toastErrors(action, ADMIN_MESSAGES.saveFailed, id)}
    />
  )
}

interface DeleteButtonProps {
  noun: string
  name: string
  verb?: 'Delete' | 'Hide'
  remove: () => Promise<string>
  isPublic?: boolean
  children: ReactNode
}

export function DeleteButton(props: DeleteButtonProps) {
  const { noun, name, verb = 'Delete', remove, isPublic = true, children } = props
  return (
    <ConfirmButton
      label={`Delete ${noun}`}
      title={`${verb} this ${noun}?`}
      confirmLabel={`${verb} ${name}`}
      busyLabel={verb === 'Hide' ? 'Hiding…' : 'Deleting…'}
      errorTitle={ADMIN_MESSAGES.saveFailed}
      onConfirm={async () => {
        const title = await remove()
        notify({ title, ...(isPublic && { text: ADMIN_MESSAGES.websiteUpdates }) })
        pushQuery('')
      }}
    >
      {children}
    </ConfirmButton>
  )
}
