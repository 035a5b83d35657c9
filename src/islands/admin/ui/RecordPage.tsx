import type { ReadableAtom } from 'nanostores'
import { Fragment, type ReactNode, useState } from 'react'
import type { SectionId } from '#lib/admin/access.ts'
import { ADMIN_MESSAGES, type Noun, NOUNS } from '#lib/admin/messages.ts'
import { formatValue } from '#lib/admin/record-form.ts'
import { api } from '#lib/api.ts'
import type { AuditKind } from '#lib/constants.ts'
import type { AuditEntry } from '#lib/contract/admin.ts'
import { t, texts } from '#lib/contract/texts.ts'
import { toastErrors } from '#lib/stores/admin/notices.ts'
import type { LoadState } from '#lib/stores/load-state.ts'
import { notify } from '#lib/stores/toasts.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/Buttons.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Time } from '../../ui/Facts.tsx'
import { AlertState } from '../../ui/States.tsx'
import { pushQuery, useQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { AdminFrame } from './AdminFrame.tsx'
import type { OpenRecord } from './use-record-form.ts'
import { Load, Loaded, LoadedStore, NEW_ID, Note, ViewHeading, viewLink } from './views.tsx'

interface RecordPageProps<Item> {
  section: SectionId
  /** Also the parameter of the URL for the open record. */
  noun: 'collection' | 'coupon' | 'post'
  addLabel: string
  store: { $list: ReadableAtom<LoadState<readonly Item[]>>; load: () => Promise<void> }
  editor: (id: string) => ReactNode
  children: (list: readonly Item[]) => ReactNode
}

export function RecordPage<Item>(props: RecordPageProps<Item>) {
  const { section, noun, addLabel, store, editor, children } = props
  const id = new URLSearchParams(useQuery()).get(noun) ?? ''
  const addButton = <ButtonLink look="primary" label={addLabel} {...viewLink({ [noun]: NEW_ID })} />
  return (
    <AdminFrame section={section} action={id === '' && addButton}>
      {id === '' ? (
        <LoadedStore store={store.$list} load={store.load} label={NOUNS[noun][1]}>
          {children}
        </LoadedStore>
      ) : (
        <Fragment key={id}>{editor(id)}</Fragment>
      )}
    </AdminFrame>
  )
}

interface RecordEditorProps<Item> {
  id: string
  kind: 'product' | 'post' | 'collection' | 'deal' | 'coupon'
  read: (id: string) => Promise<Item>
  getTitle: (item: Item) => string
  getPath?: (item: Item) => string | false
  /** Without it, there is no history. */
  form?: Pick<ChangeHistoryProps, 'labels' | 'format'>
  actions?: (item: Item) => ReactNode
  children: (record: OpenRecord<Item>) => ReactNode
}

export function RecordEditor<Item>(props: RecordEditorProps<Item>) {
  const { id, kind, read, getTitle, getPath, form, actions, children } = props
  const [result, reload] = useLoad(id, async () => (id === NEW_ID ? undefined : await read(id)))
  const { count, theirs, onReset } = useReset<Item>()
  const [noun, things] = NOUNS[kind]
  const item = theirs ?? (result.state === 'ready' ? result.value : undefined)
  const defaultTitle =
    id === NEW_ID ? t('New {noun}', { noun }) : noun.replace(/^./, letter => letter.toUpperCase())
  const isDeleted = result.state === 'failed' && result.error.replyStatus === 404
  return (
    <>
      <ViewHeading
        // Takes the focus, also after “Save and add another”.
        key={`${item ? 'loaded' : 'none'} ${count}`}
        back={{ to: t('All {things}', { things }), ...viewLink('') }}
        title={item ? getTitle(item) : defaultTitle}
        path={item && getPath?.(item)}
      />
      {isDeleted ? (
        <AlertState text={t('This {noun} no longer exists.', { noun })}>
          <Button
            look="primary"
            label={t('All {things}', { things })}
            onClick={() => pushQuery('')}
          />
        </AlertState>
      ) : (
        <Loaded state={result} label={noun} onRetry={reload}>
          {() => (
            <Fragment key={count}>
              {children({ draftName: `${kind} ${id}`, item, read: () => read(id), onReset })}
              {item && form && (
                <div className="mt-8 pb-4">
                  <ChangeHistory
                    kinds={kind === 'product' ? ['product', 'stock'] : [kind]}
                    id={id}
                    labels={form.labels}
                    format={form.format}
                  >
                    {actions?.(item)}
                  </ChangeHistory>
                </div>
              )}
            </Fragment>
          )}
        </Loaded>
      )}
    </>
  )
}

/** A new `count` shows a new form, which begins with `theirs` after an edit conflict. */
export function useReset<Item>() {
  const [reset, setReset] = useState<{ count: number; theirs?: Item | undefined }>({ count: 0 })
  const onReset = (theirs = reset.theirs) => setReset({ count: reset.count + 1, theirs })
  return { ...reset, onReset }
}

interface RowActionsProps {
  query: Readonly<Record<string, string>>
  label?: string
  name: string
  children: ReactNode
}

export function RowActions({ query, label = t('Edit'), name, children }: RowActionsProps) {
  return (
    <div
      className={
        'flex flex-wrap gap-2 max-sm:[&>*]:px-3 xl:justify-end ' + 'xl:[&:lang(en)]:flex-nowrap'
      }
    >
      <ButtonLink
        label={label}
        {...viewLink(query)}
        aria-label={t('{action} {name}', { action: label, name })}
      />
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
      aria-label={t('{action} {name}', { action: label, name })}
      onClick={() => void toastErrors(action, ADMIN_MESSAGES.notSaved(name), id)}
    />
  )
}

interface DeleteButtonProps {
  noun: Noun
  name: string
  verb?: 'Delete' | 'Hide'
  remove: () => Promise<string>
  isPublic?: boolean
  children: ReactNode
}

export function DeleteButton(props: DeleteButtonProps) {
  const { name, verb = 'Delete', remove, isPublic = true, children } = props
  const noun = NOUNS[props.noun][0]
  const hides = verb === 'Hide'
  return (
    <ConfirmButton
      label={t('Delete {noun}', { noun })}
      title={t(hides ? 'Hide this {noun}?' : 'Delete this {noun}?', { noun })}
      confirmLabel={t(hides ? 'Hide {name}' : 'Delete {name}', { name })}
      busyLabel={t(hides ? 'Hiding…' : 'Deleting…')}
      onConfirm={async () =>
        notify({ title: await remove(), ...(isPublic && { text: ADMIN_MESSAGES.websiteUpdates }) })
      }
      onDone={() => pushQuery('')}
    >
      {children}
    </ConfirmButton>
  )
}

interface ChangeHistoryProps {
  kinds: readonly AuditKind[]
  id: string
  labels: Readonly<Record<string, string>>
  format?: ((field: string, value: unknown) => string) | undefined
  children?: ReactNode
}

export function ChangeHistory({ kinds, id, children, ...fields }: ChangeHistoryProps) {
  return (
    <div>
      <Disclosure title={t('History')}>
        {() => (
          <Load
            label={t('history')}
            rows={1}
            read={() => api('GET /admin/audit', { query: { kind: kinds.join(','), id } })}
          >
            {entries =>
              entries.length === 0 ? (
                <p>{ADMIN_MESSAGES.historyNone}</p>
              ) : (
                <ol className="grid gap-4">
                  {entries.map(entry => (
                    <li key={entry.id} className="border-l-4 border-brass/40 pl-4">
                      <p className="break-words">
                        <b>{entry.actor.name}</b> {AUDIT_LABELS[entry.action] ?? entry.action}
                      </p>
                      <Note>
                        <Time iso={entry.at} />
                      </Note>
                      <Changes {...entry} {...fields} />
                    </li>
                  ))}
                </ol>
              )
            }
          </Load>
        )}
      </Disclosure>
      {children && <div className="border-t border-brass/40 pt-4">{children}</div>}
    </div>
  )
}

type ChangesProps = Pick<ChangeHistoryProps, 'labels' | 'format'> & AuditEntry

function Changes({ before, after, labels, format }: ChangesProps) {
  if (!before || !after) return null
  const toText = format ?? ((_, value) => formatValue(value))
  return (
    <ul className="text-sm">
      {Object.keys(after).map(
        field =>
          labels[field] && (
            <li key={field} className="break-words">
              {t(labels[field])}: <del className="text-ink/70">{toText(field, before[field])}</del>
              {' → '}
              <ins className="no-underline">{toText(field, after[field])}</ins>
            </li>
          )
      )}
    </ul>
  )
}

const AUDIT_LABELS: Record<string, string> = texts({
  created: 'added this',
  changed: 'changed this',
  imported: 'changed this with an import',
  hidden: 'hid this',
  shown: 'showed this in the shop',
  published: 'published this',
  deleted: 'deleted this',
  ended: 'ended this',
  moved: 'changed the status',
  returned: 'set the status back',
  cancelled: 'cancelled this',
  acknowledged: 'let this order continue despite a refund or dispute at Razorpay',
  promoted: 'made this person an administrator',
  demoted: 'removed this person as administrator',
  'changed e-mail': 'changed the email address of this account',
  'role changed': 'changed the role',
  invited: 'invited this person',
  joined: 'logged in with the invitation',
  withdrawn: 'withdrew the invitation',
  'logged out': 'logged this person out on all devices',
  marked: 'marked this',
  answered: 'answered this',
  'returned to': 'brought back an older version of the website',
  'backed up': 'downloaded a backup',
  confirmed: 'confirmed that this is the live shop',
  refund: 'refunded this',
  keep: 'kept this'
})
