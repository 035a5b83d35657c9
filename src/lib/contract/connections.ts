import * as z from 'zod/mini'
import { EMAIL, SAVED_SECRET, SETTING_LIMITS } from '../constants.ts'
import { normalizeEmail, toCode } from './formats.ts'
import { t, text } from './texts.ts'
import { emptyOr, limitedText, optionalLine, optionalText, translatable } from './values.ts'

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
