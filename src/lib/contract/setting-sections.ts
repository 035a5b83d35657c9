import * as z from 'zod/mini'
import { EMAIL, SAVED_SECRET, SETTING_LIMITS } from '../constants.ts'
import { ADMIN_TEXTS } from './admin-texts.ts'
import { normalizeEmail, toCode, toDigits } from './formats.ts'
import { POLICY_ANSWERS, POLICY_NAMES, TAX_STATUSES } from './names.ts'
import { t, text } from './texts.ts'
import {
  decimal,
  emptyOr,
  isGstin,
  limitedText,
  listOf,
  optionalLine,
  optionalText,
  plainText,
  translatable
} from './values.ts'

const { line } = SETTING_LIMITS

export const optionalEmail = emptyOr(
  EMAIL,
  text('Please enter an email address, such as hello@example.com'),
  normalizeEmail
)

/** Stays as typed. If empty, the saved one stays. */
const secretText = (minLength = 1) =>
  limitedText(line).check(
    z.trim(),
    z.refine(value => value === '' || value === SAVED_SECRET || value.length >= minLength, {
      error: () => t('Please use at least {count} characters', { count: minLength })
    })
  )
const MAX_PORT = 65_535
const PORT_INVALID = text('Please enter a number, usually 587 or 465')

export const MailSection = z.extend(
  translatable({ signature: optionalText(SETTING_LIMITS.text) }),
  {
    /** If empty, SMTP_URL or the folder `outbox`. */
    server: emptyOr(
      /^(?=.{1,200}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/i,
      text('Please enter a name such as smtp.gmail.com'),
      toCode
    ),
    port: z.int(PORT_INVALID).check(z.positive(PORT_INVALID), z.maximum(MAX_PORT, PORT_INVALID)),
    user: optionalLine(line),
    password: secretText(),
    /** If empty, MAIL_FROM or the shop's address. */
    sender: optionalEmail
  }
)

export const PaymentsSection = z.object({
  /** If empty, RAZORPAY_KEY_ID or the built-in sandbox. */
  keyId: emptyOr(
    /^rzp_(?:test|live)_[A-Za-z0-9]+$/,
    text('Please check the key id: it begins with rzp_live_ or rzp_test_'),
    toCode
  ),
  keySecret: secretText(),
  webhookSecret: secretText(SAVED_SECRET.length)
})

/** The answers from which the shop writes its policies. */
export const PoliciesSection = z.object({
  dispatchDays: z.enum(POLICY_ANSWERS.dispatchDays),
  cancel: z.enum(POLICY_ANSWERS.cancel),
  broken: z.enum(POLICY_ANSWERS.broken),
  refundDays: z.enum(POLICY_ANSWERS.refundDays),
  /** If empty, as the section `delivery` says. */
  delivers: z.enum(POLICY_ANSWERS.delivers)
})

export const policyTexts = {
  description: optionalText(SETTING_LIMITS.text),
  /** Markdown with placeholders such as `{phone}`. If empty, made from the answers. */
  text: optionalText(SETTING_LIMITS.policy)
}
export const PolicySection = translatable(policyTexts)
export type OurPolicies = z.infer<typeof OurPolicies>
/** `own` is the text that the owner has written instead, or ''. */
export const OurPolicies = z.array(
  z.object({ name: z.enum(POLICY_NAMES), text: z.string(), own: z.string() })
)

export const LegalSection = z.object({
  fssai: emptyOr(/^\d{14}$/, text('Please check the FSSAI number: it has 14 digits'), toDigits),
  gstin: emptyOr(
    isGstin,
    text('Please check the GST number: it has 15 letters and digits'),
    typed => toCode(typed, /[^\p{L}\d]/gu).toUpperCase()
  ),
  grievanceOfficer: z.extend(translatable({ designation: optionalLine(line) }), {
    name: optionalLine(line)
  })
})

const HSN = /^\d{4}(\d{2}){0,2}$/
const taxRule = {
  rate: decimal(0, 100, text('Please enter a rate in percent, such as 5 or 12')),
  hsn: plainText().check(
    z.overwrite(toDigits),
    z.regex(HSN, text('Please enter an HSN code of 4, 6 or 8 digits'))
  ),
  from: z.iso.date(ADMIN_TEXTS.dateInvalid)
}

export const TaxSection = z.object({
  status: z.enum(TAX_STATUSES),
  rates: listOf(z.object({ category: plainText(), ...taxRule }), SETTING_LIMITS.taxRates),
  products: listOf(z.object({ product: plainText(), ...taxRule }), SETTING_LIMITS.taxProducts),
  otherStates: z.boolean(),
  /** True if an accountant agrees to deliveries to other states. */
  accountantAsked: z.boolean()
})
