import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { Done } from '#lib/contract/accounts.ts'
import { PreviewRequest, RenderedText, ShopStatus } from '#lib/contract/content.ts'
import { DeliveryPlace, PlacesQuery } from '#lib/contract/delivery.ts'
import {
  SECTION_SCHEMAS,
  sectionChange,
  type SectionChange,
  SectionVersion,
  ShopSettings,
  STORED_SCHEMAS,
  storedSection
} from '#lib/contract/settings.ts'
import { VersionText } from '#lib/contract/values.ts'
import { SETTING_LIMITS } from '#lib/constants.ts'
import { ShopError } from '#lib/errors.ts'
import { fillPlaceholders } from '#lib/settings.ts'
import { SECTION_NAMES, type SectionName } from '#lib/contract/names.ts'
import { MINUTE } from '#lib/time.ts'
import { sessionOf } from '../accounts/sessions.ts'
import { isLive } from '../live-shop/live-shop.ts'
import { LAST_SMTP_MAIL, raiseCounterTo } from '../platform/db/counters.ts'
import { limitRequests } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { listPlaces } from '../platform/pincodes/pincodes.ts'
import {
  readContact,
  readCurrentSections,
  readShopSettings,
  readStoredSection
} from './settings.ts'
import { saveSection } from './save-section.ts'
import { renderText } from './checks.ts'
import * as z from 'zod/mini'

/** In bytes: a character takes at most 6 bytes as escaped JSON. */
const BODY_LIMIT = SETTING_LIMITS.policy * 6 + 20_000
const MAX_VERSIONS = 100
const MAX_TEST_MAILS = 5

const VersionPath = z.object({ version: VersionText })

export const shopRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/shop', route('Get the settings that pages show', ShopSettings), (request, reply) =>
    app.publicReplies.send({ request, reply }, 'shop', data => data.shop())
  )

  app.get(
    '/status',
    route('Read whether the shop is in test mode, sends mails, or is not live', ShopStatus),
    async request => {
      const session = await app.authenticate(request)
      const isAdmin = session?.user.role === 'admin'
      const sendsMail = app.config.smtpUrl !== undefined
      return {
        testMode: app.config.testMode,
        sendsMail,
        mailNotSetUp: (isAdmin || app.config.testMode) && !sendsMail,
        notLive: isAdmin && !(await isLive(app))
      }
    }
  )
}

export const settingsRoutes: FastifyPluginAsyncZod = async app => {
  app.get(
    '/settings',
    route(
      'Get the current version of each section',
      z.record(z.enum(SECTION_NAMES), SectionVersion)
    ),
    async () => {
      const stored = await readCurrentSections(app.database.kysely)
      const entries = SECTION_NAMES.map(name => {
        const { version = 0, savedAt = null, savedBy = '' } = stored[name] ?? {}
        return [name, { version, savedAt, savedBy }] as const
      })
      return Object.fromEntries(entries) as Record<SectionName, SectionVersion>
    }
  )

  for (const section of SECTION_NAMES) {
    const stored = storedSection(STORED_SCHEMAS[section])
    app.get(`/settings/${section}`, route(`Get the settings “${section}”`, stored), () =>
      readStoredSection(app.database.kysely, section)
    )
    app.put(
      `/settings/${section}`,
      {
        bodyLimit: BODY_LIMIT,
        ...route(`Save the settings “${section}” as a new version`, stored, {
          body: sectionChange(SECTION_SCHEMAS[section])
        })
      },
      request => saveSection(app, sessionOf(request).user, section, request.body as SectionChange)
    )
    app.get(
      `/settings/${section}/versions`,
      route(
        `List the versions of the settings “${section}”, newest first`,
        z.array(SectionVersion)
      ),
      () =>
        app.database.kysely
          .selectFrom('settings')
          .select(['version', 'saved_at as savedAt', 'saved_by_name as savedBy'])
          .where('section', '=', section)
          .orderBy('version', 'desc')
          .limit(MAX_VERSIONS)
          .execute()
    )
    app.get(
      `/settings/${section}/versions/:version`,
      route(`Get a version of the settings “${section}”`, stored, { params: VersionPath }),
      request => readStoredSection(app.database.kysely, section, Number(request.params.version))
    )
  }

  app.get(
    '/places',
    route('List city, district and state of a pincode', z.array(DeliveryPlace), {
      querystring: PlacesQuery
    }),
    request => listPlaces(request.query.pincode)
  )

  app.post(
    '/settings/preview',
    {
      bodyLimit: BODY_LIMIT,
      ...route('Render the Markdown of a policy as sanitised HTML', RenderedText, {
        body: PreviewRequest
      })
    },
    async request => {
      const settings = await readShopSettings(app.database.kysely)
      return { html: await renderText(fillPlaceholders(request.body.content, settings)) }
    }
  )

  app.post(
    '/settings/mail/test',
    {
      preHandler: limitRequests({
        action: 'test mails',
        max: MAX_TEST_MAILS,
        window: 10 * MINUTE,
        userOf: request => sessionOf(request).user._id
      }),
      ...route('Send a test email to the administrator’s own address', Done)
    },
    async request => ({ message: await sendTestMail(app, sessionOf(request).user.email) })
  )
}

/** Without the outbox, so that the owner sees the answer. Returns where the mail is. */
async function sendTestMail(app: FastifyInstance, to: string): Promise<string> {
  const { mail, config, database, write, clock } = app
  if (!(await isLive({ config, database })))
    throw new ShopError('SHOP_NOT_LIVE', { message: ADMIN_MESSAGES.notLive })
  const { signature } = await readContact(database.kysely)
  const subject = 'Test email from your shop'
  const text = `This email arrived, so your customers get theirs too.\n\n${signature}`
  try {
    await mail.send({ id: `test-${randomUUID()}`, to, subject, text })
  } catch (cause) {
    const { response, message: reason } = cause as { response?: string; message: string }
    const message =
      response === undefined
        ? `The mail server could not be reached: ${reason}`
        : `The mail server answered: ${response}`
    throw new ShopError('MAIL_NOT_SENT', { message, cause })
  }
  if (!mail.usesSmtp)
    return `${ADMIN_MESSAGES.mailToFolder} The test email is in ${mail.destination ?? ''}.`
  await write(trx => raiseCounterTo(trx, LAST_SMTP_MAIL, clock()))
  return (
    `${mail.destination ?? 'the mail server'} has accepted the email to ${to}. ` +
    'If it does not arrive, look in the spam folder.'
  )
}
