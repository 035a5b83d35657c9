import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { SAVED_SECRET } from '#lib/constants.ts'
import type { SectionName } from '#lib/contract/names.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { t } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import type { MailServer } from '../platform/mail/mail.ts'
import { seal, unseal } from '../platform/process/secret.ts'
import { listVersions, readSection } from './settings.ts'

/** Fields that are stored encrypted, and those that say what they open. */
const SECRETS: { [Name in SectionName]?: { fields: readonly string[]; opens: readonly string[] } } =
  {
    mail: { fields: ['password'], opens: ['server', 'user'] },
    payments: { fields: ['keySecret', 'webhookSecret'], opens: ['keyId'] }
  }

type Deps = Pick<FastifyInstance, 'database' | 'settingsKey'>

export function hasSecrets(section: SectionName): boolean {
  return section in SECRETS
}

export function readSecretField(
  { settingsKey }: Pick<Deps, 'settingsKey'>,
  section: SectionName,
  field: string,
  sealed: string
): string | undefined {
  return unseal(settingsKey, `${section} ${field}`, sealed)
}

function mapSecrets<Value extends object>(
  section: SectionName,
  value: Value,
  map: (text: string, field: string) => string
): Value {
  const fields = SECRETS[section]?.fields ?? []
  const mapped = fields.map(field => [field, map(String(Reflect.get(value, field)), field)])
  return { ...value, ...Object.fromEntries(mapped) }
}

/** An empty secret stays what it was when the other fields were the same. Throws INVALID_INPUT. */
export async function sealSecrets<Name extends SectionName>(
  deps: Deps,
  section: Name,
  value: Settings[Name]
): Promise<Settings[Name]> {
  const opened = SECRETS[section]?.opens ?? []
  const read = (name: string, from: object = value): unknown => Reflect.get(from, name)
  const isUsed = opened.every(name => read(name) !== '')
  const versions = await listVersions(deps.database.kysely, section)
  const known = versions.findLast(earlier =>
    opened.every(name => read(name, earlier.value) === read(name))
  )
  return mapSecrets(section, value, (text, field) => {
    if (!isUsed) return ''
    const saved = known ? String(read(field, known.value)) : ''
    const readable = readSecretField(deps, section, field, saved)
    const isTyped = text !== '' && text !== SAVED_SECRET
    if (isTyped ? text === readable : readable !== undefined) return saved
    if (isTyped) return seal(deps.settingsKey, `${section} ${field}`, text)
    const fields = { [`value.${field}`]: t('Please enter this too') }
    throw new ShopError('INVALID_INPUT', { fields })
  })
}

/** A secret that can't be read, as in a restored copy, is shown as empty. */
export function hideSecrets<Stored extends { value: object }>(
  deps: Pick<Deps, 'settingsKey'>,
  section: SectionName,
  stored: Stored
): Stored {
  const hide = (sealed: string, field: string) => {
    if (readSecretField(deps, section, field, sealed) !== undefined) return SAVED_SECRET
    // The owner copies it to Razorpay before the keys are saved, so it must stay the same.
    const isSuggested = field === 'webhookSecret' && Reflect.get(stored.value, 'keyId') === ''
    return isSuggested
      ? createHmac('sha256', deps.settingsKey).update('webhook secret').digest('hex').slice(0, 48)
      : ''
  }
  return { ...stored, value: mapSecrets(section, stored.value, hide) }
}

/** What the audit trail shows of a change. */
export function hideInAudit(
  section: SectionName,
  before: object,
  after: object
): { before: object; after: object } {
  const isKept = (text: string, field: string) => Reflect.get(before, field) === text
  return {
    before: mapSecrets(section, before, text => text && 'saved'),
    after: mapSecrets(
      section,
      after,
      (text, field) => text && (isKept(text, field) ? 'saved' : 'new')
    )
  }
}

/** SMTP_URL or what the owner has saved. Undefined if mails are written to files. */
export async function readMailServer({
  database,
  config,
  settingsKey
}: Deps & Pick<FastifyInstance, 'config'>): Promise<MailServer | undefined> {
  if (config.smtpUrl !== undefined) return { url: config.smtpUrl }
  const saved = await readSection(database.kysely, 'mail')
  return saved.server === '' ? undefined : toMailServer({ settingsKey }, saved)
}

export function toMailServer(
  deps: Pick<Deps, 'settingsKey'>,
  { server, port, user, password }: Settings['mail']
): MailServer {
  const readable = user && readSecretField(deps, 'mail', 'password', password)
  return { host: server, port, user, password: readable }
}
