import type { FastifyInstance } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { FIRST_ADMIN_NAME, PLACEHOLDER_EMAIL } from '#lib/constants.ts'
import {
  SETUP_ROWS,
  type PolicyName,
  type SetupGap,
  type SectionName,
  SETUP_ROW_IDS
} from '#lib/contract/names.ts'
import { Done, type User } from '#lib/contract/accounts.ts'
import { SetupState } from '#lib/contract/admin.ts'
import { t } from '#lib/contract/texts.ts'
import { isElsewhereMissing } from '#lib/delivery/terms.ts'
import { countLetters, EMPTY_SETTINGS, MIN_POLICY_LETTERS } from '#lib/settings.ts'
import { requireRecentVerification, sessionOf } from '../accounts/sessions.ts'
import { findLiveUser } from '../accounts/users.ts'
import { listProductIds } from '../catalog/read-products.ts'
import { listDemoData, removeDemoData } from '../demo/remove-demo.ts'
import { findOrders } from '../orders/desk/orders.ts'
import { LAST_BACKUP, LAST_SMTP_MAIL, readCounters } from '../platform/db/counters.ts'
import { countRows } from '../platform/db/search.ts'
import type { Db } from '../platform/db/tables.ts'
import { route } from '../platform/http/validate.ts'
import { usesTestMode } from '../razorpay/config.ts'
import {
  DEMO_AUTHOR,
  findMissingLegal,
  findOwnPolicy,
  listInventedDetails,
  readCurrentSections,
  toValues
} from '../settings/settings.ts'
import {
  isAddressElsewhere,
  mustAskAccountant,
  SELLER_SECTIONS,
  toDeliveryStates
} from '../settings/tax.ts'

export const setupRoutes: FastifyPluginAsyncZod = async app => {
  app.get('/setup', route('Get what is missing before the shop can open', SetupState), request =>
    readSetup(app, sessionOf(request).user)
  )

  app.delete(
    '/demo-data',
    route(
      'Delete what came with the demo and is unchanged, or hide products that orders contain',
      Done
    ),
    async request => {
      requireRecentVerification(request)
      await removeDemoData(app, sessionOf(request).user)
      return { message: t('What came with the demo is removed.') }
    }
  )
}

async function readSetup(app: FastifyInstance, user: User): Promise<SetupState> {
  const { database, payments } = app
  const db = database.kysely
  const demo = await listDemoData(db)
  const counts = Object.entries(demo).map(([name, items]) => [name, items.length])
  const keys = await payments.current()
  const real = usesTestMode(keys) ? 'test' : 'live'
  const mode = keys.isSandbox ? 'sandbox' : real
  const sendsMail = await app.sendsMail()
  const [products, orders, times] = await Promise.all([
    listProductIds(db),
    countRows(findOrders(db, { status: 'paid' })),
    readCounters(db, [LAST_BACKUP, LAST_SMTP_MAIL])
  ])
  const legal = await findMissingLegal(db)
  const gaps: Record<SetupGap, boolean> = {
    name: user.name === FIRST_ADMIN_NAME,
    email: user.email === PLACEHOLDER_EMAIL,
    password: Boolean((await findLiveUser(db, user._id))?.printed_password_at),
    confirm: !user.verified && sendsMail,
    ...(await findSectionGaps(db)),
    demoData: Object.values(demo).some(items => items.length > 0),
    ownProduct: products.length === demo.products.length,
    keys: mode === 'sandbox',
    liveKeys: mode === 'test',
    smtp: !sendsMail,
    testMail: sendsMail && times[LAST_SMTP_MAIL] === undefined,
    order: orders === 0,
    backup: times[LAST_BACKUP] === undefined,
    fssai: legal.includes('fssai'),
    grievanceOfficer: legal.includes('grievanceOfficer')
  }
  return {
    rows: SETUP_ROW_IDS.map(id => ({
      id,
      missing: SETUP_ROWS[id].filter((name: SetupGap) => gaps[name])
    })),
    payments: mode,
    demo: Object.fromEntries(counts) as SetupState['demo']
  }
}

/** Details and texts of the demo count as missing. */
async function findSectionGaps(db: Db) {
  const [stored, invented] = await Promise.all([readCurrentSections(db), listInventedDetails(db)])
  const values = toValues(stored, [...SELLER_SECTIONS, 'delivery', 'home'])
  const isMissing = (name: SectionName) => (stored[name]?.savedBy ?? DEMO_AUTHOR) === DEMO_AUTHOR
  const isPolicyMissing = (name: PolicyName) => {
    const own = findOwnPolicy(stored, name)?.value.text
    if (own === undefined) return isMissing('policies')
    return isMissing(name) || countLetters(own) < MIN_POLICY_LETTERS
  }
  const { name, address, phone, email } = values.shop
  return {
    privacy: isPolicyMissing('privacy'),
    terms: isPolicyMissing('terms'),
    refund: isPolicyMissing('refund'),
    shipping: isPolicyMissing('shipping'),
    homePage: isMissing('home') || values.home.banners.length === 0,
    gst: stored.tax === undefined || mustAskAccountant(values.tax),
    ownState: toDeliveryStates(values).servedState === null,
    gstinState: isAddressElsewhere(values),
    deliveryRules: stored.delivery === undefined,
    elsewhere: isElsewhereMissing(values.delivery),
    shopName: isMissing('shop') || name === EMPTY_SETTINGS.shop.name,
    shopAddress:
      invented.includes('address') || [address.street, address.city, address.pincode].includes(''),
    shopPhone: invented.includes('phone') || phone === '',
    shopEmail: invented.includes('email') || email === ''
  }
}
