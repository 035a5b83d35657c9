import * as z from 'zod/mini'
import { PHONE_PATTERN, PINCODE, SETTING_LIMITS } from '../constants.ts'
import { toDigits, toOneLine, toPhoneText, toWhatsAppNumber } from './formats.ts'
import { FEATURE_ICONS, POLICY_NAMES, type SectionName, TAX_STATUSES } from './names.ts'
import { STATES } from './states.ts'
import { CalendarSection, DeliverySection, PublicCalendar, PublicDelivery } from './delivery.ts'
import {
  LegalSection,
  MailSection,
  optionalEmail,
  type OurPolicies,
  PaymentsSection,
  PoliciesSection,
  PolicySection,
  policyTexts,
  TaxSection
} from './setting-sections.ts'
import {
  emptyOr,
  Instant,
  isWebAddress,
  listOf,
  optionalText,
  plainText,
  requiredText,
  settingAmount,
  requiredLine,
  optionalLine,
  toMapPoint,
  translatable
} from './values.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'
import { text } from './texts.ts'

const { line, text: paragraph } = SETTING_LIMITS

const phone = emptyOr(
  new RegExp(`^${PHONE_PATTERN}$`),
  text('Please enter a phone number, such as +91 90000 12345'),
  toPhoneText
)
const date = emptyOr(value => z.iso.date().safeParse(value).success, ADMIN_TEXTS.dateInvalid)
const plainLine = optionalLine(line)
const pictureName = plainLine
const link = emptyOr(
  value => /^\/(?![/\\])/.test(value) || isWebAddress(value),
  text(
    'Please enter a page of this shop, such as /products, or an address that begins with ' +
      'https://'
  ),
  toOneLine,
  paragraph
)
const Value = translatable({
  title: requiredLine(line, ADMIN_TEXTS.titleRequired),
  description: optionalText(paragraph)
})
const Feature = z.extend(Value, { icon: z.enum(FEATURE_ICONS) })

const Address = z.object({
  street: optionalLine(line),
  area: optionalLine(line),
  city: optionalLine(line),
  state: z.enum(['', ...STATES], text('Please choose a state from the list')),
  pincode: emptyOr(PINCODE, text('Please enter a pincode of 6 digits'), toDigits)
})

const ShopTexts = translatable({
  name: requiredLine(SETTING_LIMITS.name, text('Please enter the name of your shop')),
  line: optionalLine(line),
  tagline: optionalText(paragraph),
  description: optionalText(paragraph),
  hours: optionalLine(line)
})
const ShopSection = z.extend(ShopTexts, {
  nameTamil: optionalLine(SETTING_LIMITS.name),
  legalName: optionalLine(line),
  address: Address,
  mapPoint: emptyOr(
    value => toMapPoint(value) !== undefined,
    text('Please enter latitude and longitude, such as 10.827, 78.688')
  ),
  phone,
  whatsapp: emptyOr(
    value => toWhatsAppNumber(value) !== '',
    text('Please enter a mobile number, such as 90000 12345 or +65 8123 4567'),
    toPhoneText
  ),
  email: optionalEmail,
  social: listOf(
    z.object({
      name: requiredLine(line, text('Please enter the name of the network, such as Instagram')),
      url: requiredText(paragraph, text('Please enter a web address')).check(
        z.refine(isWebAddress, ADMIN_TEXTS.webAddressInvalid)
      )
    })
  ),
  logo: pictureName
})

const isUsed = (banner: { picture: string; heading: string; text: string }) =>
  [banner.picture, banner.heading, banner.text].some(part => part !== '')

const BannerTexts = translatable({
  alt: optionalText(paragraph),
  heading: optionalLine(line),
  text: optionalText(paragraph),
  button: optionalLine(SETTING_LIMITS.button)
})

const HomeSection = z.object({
  banners: listOf(
    z.extend(BannerTexts, { picture: pictureName, link }),
    SETTING_LIMITS.banners
  ).check(z.overwrite(banners => banners.filter(isUsed))),
  featuredCategories: listOf(plainText()),
  /** Product ids. Without any, those sold most often. */
  bestsellers: listOf(plainText(), SETTING_LIMITS.bestsellers),
  testimonials: listOf(
    translatable({
      name: requiredLine(line, ADMIN_TEXTS.nameRequired),
      location: optionalLine(line),
      comment: requiredText(paragraph, text('Please enter what the customer said'))
    })
  ),
  whyChooseUs: listOf(Feature),
  features: listOf(Feature)
})

const CATEGORY = /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/
const CATEGORY_INVALID = text('Please use lowercase letters a–z, digits and hyphens')
const CategoryTexts = translatable({
  label: requiredLine(SETTING_LIMITS.name, ADMIN_TEXTS.nameRequired),
  description: optionalText(paragraph)
})
const CategoriesSection = z.object({
  categories: listOf(
    z.extend(CategoryTexts, {
      name: z.string().check(z.regex(CATEGORY, CATEGORY_INVALID), z.maxLength(40)),
      labelTamil: optionalLine(SETTING_LIMITS.name),
      picture: pictureName,
      hidden: z.boolean()
    }),
    SETTING_LIMITS.categories
  )
})

const OrdersSection = z.object({
  closed: z
    .extend(translatable({ message: optionalText(paragraph) }), { from: date, until: date })
    .check(
      z.refine(({ from, until }) => (from === '') === (until === ''), {
        path: ['until'],
        error: text('Please enter the first and the last day')
      }),
      z.refine(({ from, until }) => from <= until || until === '', {
        path: ['until'],
        error: ADMIN_TEXTS.closedEndsBeforeStart
      })
    ),
  minimumOrder: settingAmount,
  cancellable: listOf(plainText())
})

const AboutTexts = translatable({
  ...policyTexts,
  /** One paragraph in the cook's own words, for home. */
  story: optionalText(paragraph),
  /** Holds for all products, whose pages show it: 'no added preservatives'. */
  promise: optionalLine(line)
})
const AboutSection = z.extend(AboutTexts, {
  picture: pictureName,
  /** Signs the page and the story on home. */
  cook: translatable({ name: optionalLine(SETTING_LIMITS.name), role: optionalLine(line) }),
  values: listOf(Value)
})

export const SECTION_SCHEMAS = {
  shop: ShopSection,
  legal: LegalSection,
  tax: TaxSection,
  home: HomeSection,
  categories: CategoriesSection,
  orders: OrdersSection,
  delivery: DeliverySection,
  calendar: CalendarSection,
  mail: MailSection,
  payments: PaymentsSection,
  /** Lines such as 'murukku, chakli'. */
  search: z.object({ synonyms: optionalText(SETTING_LIMITS.synonyms) }),
  about: AboutSection,
  policies: PoliciesSection,
  shipping: PolicySection,
  refund: PolicySection,
  privacy: PolicySection,
  terms: PolicySection
} as const satisfies Record<SectionName, z.core.$ZodType>

/** Older versions of the shop accepted any text as the state. */
const StoredShop = z.extend(ShopSection, { address: z.extend(Address, { state: z.string() }) })
export const STORED_SCHEMAS = {
  ...SECTION_SCHEMAS,
  shop: StoredShop
} as const satisfies Record<SectionName, z.core.$ZodType>

export type Settings = { [Name in SectionName]: z.infer<(typeof STORED_SCHEMAS)[Name]> }

export type ShopCategory = Settings['categories']['categories'][number]
export type Banner = Settings['home']['banners'][number]

export type ShopSettings = z.infer<typeof ShopSettings>
export const ShopSettings = z.object({
  shop: StoredShop,
  legal: LegalSection,
  tax: z.object({
    status: z.enum(TAX_STATUSES),
    /** '' if the shop serves all states, null if its own is not known. */
    servedState: z.nullable(z.string())
  }),
  home: HomeSection,
  categories: CategoriesSection.shape.categories,
  orders: OrdersSection,
  calendar: PublicCalendar,
  delivery: PublicDelivery,
  about: AboutSection,
  policies: z.array(
    z.extend(PolicySection, {
      name: z.enum(POLICY_NAMES),
      updatedAt: z.nullable(Instant),
      /** Made from the owner's answers. */
      isBuiltIn: z.optional(z.boolean())
    })
  ),
  isDemo: z.boolean()
})

export type SectionVersion = z.infer<typeof SectionVersion>
/** Version 0 has never been saved. */
export const SectionVersion = z.object({
  version: z.int(),
  savedAt: z.nullable(Instant),
  savedBy: z.string()
})

export type StoredSection<Name extends SectionName = SectionName> = SectionVersion & {
  value: Settings[Name]
}
export const storedSection = <Schema extends z.core.$ZodType>(value: Schema) =>
  z.extend(SectionVersion, { value })

export type SectionChange<Name extends SectionName = SectionName> = Pick<
  StoredSection<Name>,
  'value' | 'version'
>
export const sectionChange = <Schema extends z.core.$ZodType>(value: Schema) =>
  z.object({ value, version: z.int().check(z.nonnegative()) })

type SectionCalls = {
  [Name in SectionName as `GET /admin/settings/${Name}`]: { reply: StoredSection<Name> }
} & {
  [Name in SectionName as `PUT /admin/settings/${Name}`]: {
    body: SectionChange<Name>
    reply: StoredSection<Name>
  }
}

export interface SettingsApi extends SectionCalls {
  'GET /shop': { reply: ShopSettings }
  'GET /admin/settings': { reply: Record<SectionName, SectionVersion> }
  'GET /admin/settings/{section}/versions': { params: { section: string }; reply: SectionVersion[] }
  'GET /admin/settings/{section}/versions/{version}': {
    params: { section: string; version: string }
    reply: StoredSection
  }
  'POST /admin/settings/policies/preview': { body: Settings['policies']; reply: OurPolicies }
  'POST /admin/settings/preview': { body: { content: string }; reply: { html: string } }
  'GET /admin/tax-report': { query: { month: string }; reply: Blob }
  'POST /admin/settings/mail/test': { reply: { message: string } }
  'POST /admin/settings/payments/test': { reply: { message: string } }
}
