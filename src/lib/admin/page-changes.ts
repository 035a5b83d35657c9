import type { AuditKind } from '../constants.ts'
import { COLLECTION_LABELS } from './collection-form.ts'
import { POST_LABELS } from './post-form.ts'
import { PRODUCT_LABELS } from './product-form.ts'
import { isSectionName, SECTION_FORMS } from './settings-form.ts'

/** Kinds of audit entries that change what pages show. */
export const PAGE_CHANGE_KINDS = ['product', 'stock', 'collection', 'deal', 'post', 'settings'] as const

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
