import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { DEFAULT_LANGUAGE, type Language, TRANSLATIONS } from '#lib/constants.ts'
import { type PolicyName, POLICY_NAMES } from '#lib/contract/names.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { locale, plural, t } from '#lib/contract/texts.ts'
import { localize } from '#lib/localize.ts'
import { inLanguage } from '../platform/language.ts'

export const POLICY_SOURCES = [
  'policies',
  'shop',
  'legal',
  'orders',
  'delivery',
  'categories'
] as const
type PolicySources = Pick<Settings, (typeof POLICY_SOURCES)[number]>
interface PolicyText {
  description: string
  text: string
}
type PolicyTexts = Record<PolicyName, PolicyText>

const FOLDER = new URL('policies/', import.meta.url)
const TRANSLATED = TRANSLATIONS.filter(code => existsSync(new URL(code, FOLDER)))
const templates = new Map<Language, Promise<(readonly [PolicyName, string])[]>>()

/** Our texts, with the owner's answers and what other settings say. */
export async function makePolicies(
  sources: PolicySources
): Promise<Record<PolicyName, PolicyText & { translations: Record<string, PolicyText> }>> {
  const english = await makeIn(DEFAULT_LANGUAGE, sources)
  const others = await Promise.all(
    TRANSLATED.map(async code => [code, await makeIn(code, localize(sources, code))] as const)
  )
  const made = POLICY_NAMES.map(name => {
    const translations = Object.fromEntries(others.map(([code, texts]) => [code, texts[name]]))
    return [name, { ...english[name], translations }]
  })
  return Object.fromEntries(made) as Awaited<ReturnType<typeof makePolicies>>
}

type Translations = NonNullable<Settings[PolicyName]['translations']>

/** The owner's own texts replace those that are made. */
export function mergeTexts(made: Translations, own: Translations = {}): Translations {
  const codes = Object.keys({ ...made, ...own })
  return Object.fromEntries(codes.map(code => [code, { ...made[code], ...own[code] }]))
}

async function makeIn(code: Language, sources: PolicySources): Promise<PolicyTexts> {
  const read = templates.get(code) ?? readTemplates(code)
  templates.set(code, read)
  const conditions = listConditions(sources)
  const words = inLanguage(code, () => listWords(sources))
  const made = (await read).map(([name, template]) => {
    const [description = '', ...blocks] = template.trim().split('\n\n')
    const text = blocks.flatMap(block => keepBlock(block, conditions)).join('\n\n')
    return [
      name,
      { description, text: text.replace(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? '') }
    ]
  })
  return Object.fromEntries(made) as PolicyTexts
}

function readTemplates(code: Language): Promise<(readonly [PolicyName, string])[]> {
  const folder = code === DEFAULT_LANGUAGE ? FOLDER : new URL(`${code}/`, FOLDER)
  return Promise.all(
    POLICY_NAMES.map(
      async name => [name, await readFile(new URL(`${name}.md`, folder), 'utf8')] as const
    )
  )
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

/** Some words are placeholders, which pages fill in. */
function listWords(sources: PolicySources): Readonly<Record<string, string>> {
  const { policies, shop, legal, orders, categories } = sources
  const email = shop.email && '{email}'
  const phone = shop.phone && '{phone}'
  const names = orders.cancellable.flatMap(
    name => categories.categories.find(category => category.name === name)?.label ?? []
  )
  const seller = [
    ['{name}', shop.address.city && '{address}'].filter(Boolean).join(', '),
    [email && t('email {email}', { email }), phone && t('phone {phone}', { phone })]
      .filter(Boolean)
      .join(', '),
    legal.fssai && t('FSSAI licence or registration number {fssai}', { fssai: '{fssai}' })
  ]
  const [from = '', to = ''] = policies.refundDays.split(' to ')
  const days = Number(policies.dispatchDays)
  return {
    ...policies,
    broken: policies.broken === 'the same day' ? t('the same day') : t('within 2 days'),
    dispatchDays: plural(days, '{count} day||of dispatch', '{count} days||of dispatch'),
    refundDays: t('{from} to {to} days', { from, to }),
    contact: toContact(email, phone),
    cancellable: new Intl.ListFormat(locale()).format(names),
    seller: seller.filter(Boolean).join('; '),
    complaints: legal.grievanceOfficer.name
      ? t(
          'Our grievance officer, {grievanceOfficer}, answers complaints. ' +
            'Complaints are acknowledged within 48 hours and resolved within one month.',
          { grievanceOfficer: '{grievanceOfficer}' }
        )
      : t(
          'The owner of the shop answers complaints. ' +
            'Complaints are acknowledged within 48 hours and resolved within one month.'
        )
  }
}

function toContact(email: string, phone: string) {
  if (email && phone) return t('write to {email} or call {phone}', { email, phone })
  if (email) return t('write to {email}', { email })
  if (phone) return t('call {phone}', { phone })
  return t('use [the contact form](/contact)')
}
