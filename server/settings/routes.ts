import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { Done } from '#lib/contract/accounts.ts'
import { PreviewRequest, RenderedText, ShopStatus } from '#lib/contract/content.ts'
import { DeliveryPlace, PlacesQuery } from '#lib/contract/delivery.ts'
import { OurPolicies } from '#lib/contract/setting-sections.ts'
import {
  SECTION_SCHEMAS,
  sectionChange,
  type SectionChange,
  SectionVersion,
  ShopSettings,
  STORED_SCHEMAS,
  storedSection
} from '#lib/contract/settings.ts'
import { t } from '#lib/contract/texts.ts'
import { VersionText } from '#lib/contract/values.ts'
import { SETTING_LIMITS } from '#lib/constants.ts'
import { fillPlaceholders } from '#lib/settings.ts'
import { SECTION_NAMES, type SectionName } from '#lib/contract/names.ts'
import { MINUTE } from '#lib/time.ts'
import { requireRecentVerification, sessionOf } from '../accounts/sessions.ts'
import { isLive } from '../live-shop/live-shop.ts'
import { limitRequests } from '../platform/http/limits.ts'
import { route } from '../platform/http/validate.ts'
import { listPlaces } from '../platform/pincodes/pincodes.ts'
import { usesTestMode } from '../razorpay/config.ts'
import { sendTestMail, testNewServer } from './test-mail.ts'
import { hasSecrets, hideSecrets, sealSecrets } from './secrets.ts'
import {
  readCurrentSections,
  readOurPolicies,
  readShopSettings,
  readStoredSection
} from './settings.ts'
import { saveSection } from './save-section.ts'
import { renderText } from './checks.ts'
import * as z from 'zod/mini'

/** In bytes: a character takes at most 6 bytes as escaped JSON. */
const BODY_LIMIT = SETTING_LIMITS.policy * 6 + 20_000
const MAX_VERSIONS = 100
const MAX_TESTS = 10

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
      const { config, payments } = app
      const sendsMail = await app.sendsMail()
      const testMode = usesTestMode(await payments.current())
      return {
        testMode,
        sendsMail,
        mailNotSetUp: (isAdmin || testMode) && !sendsMail,
        setOnServer: [
          ...(isAdmin && config.smtpUrl !== undefined ? (['mail'] as const) : []),
          ...(isAdmin && config.razorpay ? (['payments'] as const) : [])
        ],
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
        return [name, { version, savedAt, savedBy: t(savedBy) }] as const
      })
      return Object.fromEntries(entries) as Record<SectionName, SectionVersion>
    }
  )

  for (const section of SECTION_NAMES) {
    const stored = storedSection(STORED_SCHEMAS[section])
    app.get(`/settings/${section}`, route(`Get the settings “${section}”`, stored), async () =>
      hideSecrets(app, section, await readStoredSection(app.database.kysely, section))
    )
    app.put(
      `/settings/${section}`,
      {
        bodyLimit: BODY_LIMIT,
        ...route(`Save the settings “${section}” as a new version`, stored, {
          body: sectionChange(SECTION_SCHEMAS[section])
        })
      },
      async request => {
        const { user } = sessionOf(request)
        const change = request.body as SectionChange
        if (!hasSecrets(section)) return saveSection(app, user, section, change)
        requireRecentVerification(request)
        const value = await sealSecrets(app, section, change.value)
        if ('keyId' in value) await app.payments.test(value)
        if ('server' in value) await testNewServer(app, user.email, value)
        return hideSecrets(
          app,
          section,
          await saveSection(app, user, section, { ...change, value })
        )
      }
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
      async ({ params: { version } }) =>
        hideSecrets(
          app,
          section,
          await readStoredSection(app.database.kysely, section, Number(version))
        )
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
    '/settings/policies/preview',
    route('Write the policies from these answers', OurPolicies, { body: SECTION_SCHEMAS.policies }),
    request => readOurPolicies(app.database.kysely, request.body)
  )

  app.post(
    '/settings/mail/test',
    {
      preHandler: limitTests,
      ...route('Send a test email to the administrator’s own address', Done)
    },
    async request => ({ message: await sendTestMail(app, sessionOf(request).user.email) })
  )

  app.post(
    '/settings/payments/test',
    { preHandler: limitTests, ...route('Ask the payment provider whether the keys work', Done) },
    async () => ({ message: await app.payments.test() })
  )
}

const limitTests = limitRequests({
  action: 'test mails',
  max: MAX_TESTS,
  window: 10 * MINUTE,
  userOf: request => sessionOf(request).user._id
})
