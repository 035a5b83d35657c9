import type { FastifyInstance } from 'fastify'
import { SAVED_SECRET } from '#lib/constants.ts'
import type { SectionName } from '#lib/contract/names.ts'
import type { Settings } from '#lib/contract/settings.ts'
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
type Texts = Readonly<Record<string, string>>

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

/** An empty secret stays what it was when the other fields were the same. Throws INVALID_INPUT. */
export async function sealSecrets<Name extends SectionName>(
  deps: Deps,
  section: Name,
  value: Settings[Name]
): Promise<Settings[Name]> {
  const { fields, opens } = SECRETS[section] ?? { fields: [], opens: [] }
  const typed = value as unknown as Texts
  const versions = (await listVersions(deps.database.kysely, section)).map(
    stored => stored.value as unknown as Texts
  )
  const known = versions.findLast(earlier => opens.every(name => earlier[name] === typed[name]))
  const isUsed = opens.every(name => typed[name] !== '')
  const sealed = fields.map(field => {
    const saved = known?.[field] ?? ''
    const readable = readSecretField(deps, section, field, saved)
    const text = typed[field] ?? ''
    if (!isUsed) return [field, '']
    const isKept = text === '' || text === SAVED_SECRET ? readable !== undefined : text === readable
    if (isKept) return [field, saved]
    if (text === '' || text === SAVED_SECRET)
      throw new ShopError('INVALID_INPUT', {
        fields: { [`value.${field}`]: 'Please enter this too' }
      })
    return [field, seal(deps.settingsKey, `${section} ${field}`, text)]
  })
  return { ...value, ...Object.fromEntries(sealed) }
}

/** A secret that can't be read, as in a restored copy, is shown as empty. */
export function hideSecrets<Name extends SectionName, Stored extends { value: Settings[Name] }>(
  deps: Pick<Deps, 'settingsKey'>,
  section: Name,
  stored: Stored
): Stored {
  const value = stored.value as unknown as Texts
  const hidden = (SECRETS[section]?.fields ?? []).map(field => {
    const isReadable = readSecretField(deps, section, field, value[field] ?? '') !== undefined
    return [field, isReadable ? SAVED_SECRET : '']
  })
  return { ...stored, value: { ...stored.value, ...Object.fromEntries(hidden) } }
}

/** What the audit trail shows of a change. */
export function hideInAudit(section: SectionName, before: object, after: object): object[] {
  const [old, current] = [before, after] as [Texts, Texts]
  const fields = SECRETS[section]?.fields ?? []
  const toText = (value: string | undefined, text: string): string => (value ? text : '')
  return [
    { ...before, ...Object.fromEntries(fields.map(name => [name, toText(old[name], 'saved')])) },
    {
      ...after,
      ...Object.fromEntries(
        fields.map(name => [
          name,
          toText(current[name], current[name] === old[name] ? 'saved' : 'new')
        ])
      )
    }
  ]
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
