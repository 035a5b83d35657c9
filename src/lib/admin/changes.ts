import type { AuditKind } from '../constants.ts'
import { POST_LABELS } from './post-form.ts'
import { PRODUCT_LABELS } from './product-form.ts'
import { isSectionName, SECTION_FORMS } from './settings-form.ts'

/** Kinds of audit entries that change what pages show. */
export const PAGE_CHANGE_KINDS = ['product', 'stock', 'deal', 'post', 'settings'] as const

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
  const labels: Readonly<Record<string, string>> = kind === 'post' ? POST_LABELS : PRODUCT_LABELS
  const label = ACTIONS[action] === undefined && fields.length === 1 ? labels[fields[0] ?? ''] : undefined
  return label === undefined ? name : `${label} of ${name}`
}
