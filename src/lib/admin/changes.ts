import type { AuditKind } from '../constants.ts'
import { COLLECTION_LABELS } from './collection-form.ts'
import { POST_LABELS } from './post-form.ts'
import { PRODUCT_LABELS } from './product-form.ts'
import { isSectionName, SECTION_FORMS } from './settings-form.ts'

/** Kinds of audit entries that change what pages show. */
export const PAGE_CHANGE_KINDS = ['product', 'stock', 'collection', 'deal', 'post', 'settings'] as const

export const AUDIT_LABELS: Readonly<Record<string, string>> = {
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
  'changed e-mail': 'changed the e-mail address of this account',
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

export interface PageChange {
  kind: AuditKind
  /** Of the product or post. For settings, the section. */
  name: string
  action: string
  fields: readonly string[]
}

const ACTIONS: Readonly<Record<string, string>> = {
  created: 'added',
  deleted: 'deleted',
  hidden: 'hidden',
  shown: 'shown',
  published: 'published'
}

/** For example 'Price of Adhirasam changed'. */
export function formatPageChange(change: PageChange): string {
  return `${formatSubject(change)} ${ACTIONS[change.action] ?? 'changed'}`
}

function formatSubject({ kind, name, action, fields }: PageChange): string {
  if (kind === 'settings') return `Settings “${isSectionName(name) ? SECTION_FORMS[name].title : name}”`
  if (kind === 'deal') return `Flash deal for ${name}`
  const label = ACTIONS[action] === undefined && fields.length === 1 ? labelsOf(kind)[fields[0] ?? ''] : undefined
  return label === undefined ? name : `${label} of ${name}`
}

function labelsOf(kind: AuditKind): Readonly<Record<string, string>> {
  if (kind === 'post') return POST_LABELS
  return kind === 'collection' ? COLLECTION_LABELS : PRODUCT_LABELS
}
