import type { ReactNode } from 'react'
import { formatValue } from '#lib/admin/field-values.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { api } from '#lib/api.ts'
import type { AuditKind } from '#lib/constants.ts'
import type { AuditEntry } from '#lib/contract/admin.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { Time } from '../../ui/Facts.tsx'
import { Load, Note } from './views.tsx'

export interface ChangeHistoryProps {
  kinds: readonly AuditKind[]
  id: string
  labels: Readonly<Record<string, string>>
  format?: ((field: string, value: unknown) => string) | undefined
  children?: ReactNode
}

export function ChangeHistory({ kinds, id, children, ...fields }: ChangeHistoryProps) {
  return (
    <div>
      <Disclosure title="History">
        {() => (
          <Load
            label="history"
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
              {labels[field]}: <del className="text-ink/70">{toText(field, before[field])}</del>
              {' → '}
              <ins className="no-underline">{toText(field, after[field])}</ins>
            </li>
          )
      )}
    </ul>
  )
}

/** By action. Each text follows the name of the person who did it. */
const AUDIT_LABELS: Readonly<Record<string, string>> = {
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
  'logged out': 'logged this person out on all devices',
  marked: 'marked this',
  answered: 'answered this',
  'returned to': 'brought back an older version of the website',
  'backed up': 'downloaded a backup',
  confirmed: 'confirmed that this is the live shop',
  refund: 'refunded this',
  keep: 'kept this'
}
