import * as z from 'zod/mini'
import { ACCOUNT_LIMITS, CODE_LENGTH, DEFAULT_COUNTRY } from '../constants.ts'
import { atMost, MESSAGES } from '../messages.ts'
import { phoneDigits } from '../phone.ts'
import { CartEntry } from './cart.ts'
import { Order } from './orders.ts'
import { Instant, trimmed } from './values.ts'

const line = () =>
  z.string().check(z.trim(), z.maxLength(ACCOUNT_LIMITS.addressLine, atMost(ACCOUNT_LIMITS.addressLine)))

export type Address = z.infer<typeof Address>
export const Address = z.object({
  apartmentOrSuite: z.optional(line()),
  street: z._default(line(), ''),
  city: z._default(line(), ''),
  district: z.optional(line()),
  state: z._default(line(), ''),
  pincode: z._default(z.string().check(z.trim(), z.regex(/^(?:\d{6})?$/, MESSAGES.pincodeInvalid)), ''),
  country: z._default(line(), DEFAULT_COUNTRY)
})

export type User = z.infer<typeof User>
export const User = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  /** For display only: the server checks permissions on every call. */
  role: z.enum(['admin', 'user']),
  phoneNumber: z.string(),
  address: z.nullable(Address),
  hasPassword: z.boolean(),
  verified: z.boolean()
})

export type Session = z.infer<typeof Session>
export const Session = z.object({
  token: z.string(),
  user: User
})

const emailAddress = (required: string) =>
  z
    .string(required)
    .check(
      z.trim(),
      z.toLowerCase(),
      z.minLength(1, required),
      z.maxLength(ACCOUNT_LIMITS.email, atMost(ACCOUNT_LIMITS.email)),
      z.email(MESSAGES.contactEmailInvalid)
    )

const anyPassword = z
  .string(MESSAGES.fillInAll)
  .check(
    z.trim(),
    z.minLength(1, MESSAGES.fillInAll),
    z.maxLength(ACCOUNT_LIMITS.password, atMost(ACCOUNT_LIMITS.password))
  )

const newPassword = anyPassword.check(z.minLength(ACCOUNT_LIMITS.passwordMin, MESSAGES.passwordTooShort))

const removeSpacesAndDashes = (typed: string): string => typed.replace(/[\s\u2010-\u2015-]/g, '')
const code = z
  .string(MESSAGES.codeRequired)
  .check(z.overwrite(removeSpacesAndDashes), z.regex(new RegExp(`^\\d{${CODE_LENGTH}}$`), MESSAGES.codeRequired))

export type Login = z.infer<typeof Login>
export const Login = z.object({ email: emailAddress(MESSAGES.fillInAll), password: anyPassword })

export type Registration = z.infer<typeof Registration>
export const Registration = z.object({
  email: emailAddress(MESSAGES.fillInAll),
  password: newPassword,
  displayName: trimmed(ACCOUNT_LIMITS.name, MESSAGES.fillInAll)
})

export type CodeRequest = z.infer<typeof CodeRequest>
export const CodeRequest = z.object({ email: emailAddress(MESSAGES.contactEmailRequired) })

export type CodeSent = z.infer<typeof CodeSent>
export const CodeSent = z.object({
  message: z.string(),
  /** Seconds, like `expiresIn`. */
  resendAfter: z.int(),
  expiresIn: z.int()
})

export type CodeLogin = z.infer<typeof CodeLogin>
export const CodeLogin = z.object({ email: emailAddress(MESSAGES.contactEmailRequired), otp: code })

export type Credential = z.infer<typeof Credential>
export const Credential = z
  .object({ password: z.optional(anyPassword), otp: z.optional(code) }, MESSAGES.verificationRequired)
  .check(
    z.refine(({ password, otp }) => (password === undefined) !== (otp === undefined), MESSAGES.verificationRequired)
  )

export type PasswordChange = z.infer<typeof PasswordChange>
export const PasswordChange = z.object({ password: newPassword, proof: Credential })

export type AccountDeletion = z.infer<typeof AccountDeletion>
export const AccountDeletion = z.object({ proof: Credential })

export type Profile = z.infer<typeof Profile>
export const Profile = z.object({
  name: trimmed(ACCOUNT_LIMITS.name, MESSAGES.nameRequired),
  phoneNumber: z.optional(z.string().check(z.overwrite(phoneDigits), z.regex(/^(?:\d{10})?$/, MESSAGES.phoneInvalid))),
  address: z.optional(z.pipe(z.transform(fromJsonText), z.nullable(Address)))
})

function fromJsonText(sent: Address | string | null): unknown {
  if (typeof sent !== 'string') return sent
  try {
    return sent.trim() === '' ? null : (JSON.parse(sent) as unknown)
  } catch {
    return sent
  }
}

export type Done = z.infer<typeof Done>
export const Done = z.object({ message: z.string() })

export type MyData = z.infer<typeof MyData>
export const MyData = z.object({
  exportedAt: Instant,
  account: z.extend(User, { createdAt: Instant, verifiedAt: z.nullable(Instant) }),
  sessions: z.array(z.object({ createdAt: Instant, renewedAt: Instant, expiresAt: Instant })),
  messages: z.array(z.object({ reference: z.string(), name: z.string(), message: z.string(), createdAt: Instant })),
  orders: z.array(Order),
  cart: z.array(CartEntry),
  discounts: z.array(
    z.object({ dealId: z.string(), discount: z.int(), drawnAt: Instant, orderId: z.nullable(z.string()) })
  )
})

export interface AccountsApi {
  'GET /auth/me': { reply: User }
  'POST /auth/login': { body: Login; reply: Session }
  'POST /auth/register': { body: Registration; reply: Session }
  'POST /auth/send-otp': { body: CodeRequest; reply: CodeSent }
  'POST /auth/verify-otp': { body: CodeLogin; reply: Session }
  'PUT /auth/profile': { body: Profile; reply: User }
  'POST /auth/logout': { reply: Done }
  'POST /auth/logout-everywhere': { reply: Done }
  'PUT /auth/password': { body: PasswordChange; reply: Session }
  'GET /auth/my-data': { reply: MyData }
  'DELETE /auth/me': { body: AccountDeletion; reply: Done }
}
