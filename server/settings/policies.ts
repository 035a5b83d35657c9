import { readFile } from 'node:fs/promises'
import { type PolicyName, POLICY_NAMES } from '#lib/contract/names.ts'
import type { Settings } from '#lib/contract/settings.ts'

export const POLICY_SOURCES = [
  'policies',
  'shop',
  'legal',
  'orders',
  'delivery',
  'categories'
] as const
type PolicySources = Pick<Settings, (typeof POLICY_SOURCES)[number]>
export type PolicyTexts = Record<PolicyName, { description: string; text: string }>

let templates: Promise<(readonly [PolicyName, string])[]> | undefined

/** Our texts, with the owner's answers and what other settings say. */
export async function makePolicies(sources: PolicySources): Promise<PolicyTexts> {
  templates ??= Promise.all(
    POLICY_NAMES.map(async name => {
      const file = new URL(`policies/${name}.md`, import.meta.url)
      return [name, await readFile(file, 'utf8')] as const
    })
  )
  const conditions = listConditions(sources)
  const words = listWords(sources)
  const made = (await templates).map(([name, template]) => {
    const [description = '', ...blocks] = template.trim().split('\n\n')
    const text = blocks.flatMap(block => keepBlock(block, conditions)).join('\n\n')
    return [
      name,
      { description, text: text.replace(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? '') }
    ]
  })
  return Object.fromEntries(made) as PolicyTexts
}

/** A block such as '[own] We bring …' is left out unless 'own' is true. */
function keepBlock(block: string, conditions: ReadonlySet<string>): string | [] {
  const [, name = '', rest = ''] = /^\[(\w+)\] (.*)$/s.exec(block) ?? []
  if (name === '') return block
  return conditions.has(name) ? rest : []
}

function listConditions({ policies, orders, delivery }: PolicySources): ReadonlySet<string> {
  const { zones, elsewhere, pickup } = delivery
  const methods = zones.flatMap(({ active, method }) => (active ? method : []))
  const { delivers } = policies
  const answered = delivers === 'both' ? ['own', 'courier'] : [delivers]
  return new Set([
    ...(delivers === '' ? methods : answered),
    ...(delivers === '' && elsewhere !== 'none' ? ['courier'] : []),
    ...(pickup ? ['pickup'] : []),
    ...(orders.cancellable.length > 0 ? ['button'] : []),
    policies.cancel
  ])
}

function listWords(sources: PolicySources): Readonly<Record<string, string>> {
  const { policies, shop, legal, orders, categories } = sources
  const { email, phone } = shop
  const ways = [email && 'write to {email}', phone && 'call {phone}'].filter(Boolean)
  const names = orders.cancellable.flatMap(
    name => categories.categories.find(category => category.name === name)?.label ?? []
  )
  const seller = [
    ['{name}', shop.address.city && '{address}'].filter(Boolean).join(', '),
    [email && 'email {email}', phone && 'phone {phone}'].filter(Boolean).join(', '),
    legal.fssai && 'FSSAI licence or registration number {fssai}'
  ]
  const person = legal.grievanceOfficer.name
    ? 'Our grievance officer, {grievanceOfficer}, answers complaints.'
    : 'The owner of the shop answers complaints.'
  return {
    ...policies,
    dispatchDays: policies.dispatchDays === '1' ? '1 day' : `${policies.dispatchDays} days`,
    refundDays: `${policies.refundDays} days`,
    contact: ways.join(' or ') || 'use [the contact form](/contact)',
    cancellable: new Intl.ListFormat('en-IN').format(names),
    seller: seller.filter(Boolean).join('; '),
    complaints: `${person} Complaints are acknowledged within 48 hours and resolved within one month.`
  }
}
