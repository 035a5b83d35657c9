import * as z from 'zod/mini'
import { STAFF } from './names.ts'
import { FIELD_TEXTS, normalizePhone, toDigits } from './formats.ts'
import { ACCOUNT_LIMITS, DEFAULT_COUNTRY } from '../constants.ts'
import { CartEntry } from './checkout.ts'
import { Order } from './orders.ts'
import {
  addressLine,
  Credential,
  emailAddress,
  Instant,
  LanguageCode,
  limitedText,
  loginCode,
  PageNumber,
  passwordText,
  SearchText,
  type QueryStrings,
  requiredLine,
  type ById
} from './values.ts'

const emptyLine = z._default(addressLine(), '')
export type Address = z.infer<typeof Address>
export const Address = z.object({
  apartmentOrSuite: z.optional(addressLine()),
  street: emptyLine,
  city: emptyLine,
  district: z.optional(addressLine()),
  state: emptyLine,
  pincode: z._default(
    z.string().check(z.overwrite(toDigits), z.regex(/^(?:\d{6})?$/, FIELD_TEXTS.pincodeInvalid)),
    ''
  ),
  country: z._default(addressLine(), DEFAULT_COUNTRY)
})

export type User = z.infer<typeof User>
export const User = z.object({
  _id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(['admin', 'user']),
  staff: z.nullable(z.enum(STAFF)),
  language: LanguageCode,
  phoneNumber: z.string(),
  address: z.nullable(Address),
  hasPassword: z.boolean(),
  verified: z.boolean()
})

export type Session = z.infer<typeof Session>
export const Session = z.object({
  token: z.string(),
  user: User,
  device: z.optional(z.string()),
  isNew: z.optional(z.boolean())
})

const codeEmail = emailAddress(FIELD_TEXTS.contactEmailRequired)

const newPassword = passwordText.check(
  z.minLength(ACCOUNT_LIMITS.passwordMin, FIELD_TEXTS.passwordTooShort)
)

export type Login = z.infer<typeof Login>
export const Login = z.object({
  email: emailAddress(FIELD_TEXTS.fillInAll),
  password: passwordText
})

export type Registration = z.infer<typeof Registration>
export const Registration = z.object({
  email: emailAddress(FIELD_TEXTS.fillInAll),
  password: newPassword,
  displayName: requiredLine(ACCOUNT_LIMITS.name, FIELD_TEXTS.fillInAll)
})

export type CodeRequest = z.infer<typeof CodeRequest>
export const CodeRequest = z.object({ email: codeEmail })

export type CodeSent = z.infer<typeof CodeSent>
export const CodeSent = z.object({
  message: z.string(),
  /** False while the shop sends no emails. */
  sent: z.boolean(),
  /** In seconds. */
  resendAfter: z.int(),
  /** In seconds. */
  expiresIn: z.int()
})

export type CodeLogin = z.infer<typeof CodeLogin>
export const CodeLogin = z.object({
  email: codeEmail,
  otp: loginCode
})

export type PasswordChange = z.infer<typeof PasswordChange>
export const PasswordChange = z.object({
  password: newPassword,
  /** An account without a password needs none soon after its login. */
  proof: z.optional(Credential)
})

export type EmailChangeRequest = z.infer<typeof EmailChangeRequest>
export const EmailChangeRequest = z.object({
  email: codeEmail,
  proof: Credential
})

export type EmailChangeReply = z.infer<typeof EmailChangeReply>
/** With a session, the address has already changed. */
export const EmailChangeReply = z.extend(CodeSent, { session: z.optional(Session) })

export type OwnLogin = z.infer<typeof OwnLogin>
export const OwnLogin = z.object({
  name: requiredLine(ACCOUNT_LIMITS.name, FIELD_TEXTS.nameRequired),
  email: z.optional(codeEmail),
  password: z.optional(newPassword)
})

export type Verification = z.infer<typeof Verification>
export const Verification = z.object({ proof: Credential })

export type Profile = z.infer<typeof Profile>
export const Profile = z.object({
  name: requiredLine(ACCOUNT_LIMITS.name, FIELD_TEXTS.nameRequired),
  language: z.optional(LanguageCode),
  phoneNumber: z.optional(
    z
      .string()
      .check(z.overwrite(normalizePhone), z.regex(/^(?:\d{10})?$/, FIELD_TEXTS.phoneInvalid))
  ),
  address: z.optional(z.pipe(z.transform(parseJsonText), z.nullable(Address)))
})

function parseJsonText(value: Address | string | null): unknown {
  if (typeof value !== 'string') return value
  try {
    return value.trim() === '' ? null : (JSON.parse(value) as unknown)
  } catch {
    return value
  }
}

export type Done = z.infer<typeof Done>
export const Done = z.object({ message: z.string() })

export type MyData = z.infer<typeof MyData>
export const MyData = z.object({
  exportedAt: Instant,
  account: z.extend(User, { createdAt: Instant, verifiedAt: z.nullable(Instant) }),
  sessions: z.array(z.object({ createdAt: Instant, renewedAt: Instant, expiresAt: Instant })),
  /** Devices that ring for the shop's events. */
  bells: z.array(z.object({ label: z.string(), kinds: z.array(z.string()) })),
  messages: z.array(
    z.object({
      reference: z.string(),
      name: z.string(),
      phone: z.string(),
      message: z.string(),
      createdAt: Instant,
      answers: z.array(z.object({ text: z.string(), createdAt: Instant }))
    })
  ),
  orders: z.array(Order),
  cart: z.array(CartEntry),
  stockAlerts: z.array(z.object({ product: z.string(), askedAt: Instant })),
  discounts: z.array(
    z.object({
      dealId: z.string(),
      discount: z.int(),
      drawnAt: Instant,
      orderId: z.nullable(z.string())
    })
  )
})

export type AdminUser = z.infer<typeof AdminUser>
export const AdminUser = z.extend(User, { createdAt: Instant, orders: z.int(), sessions: z.int() })

export type UserQuery = z.infer<typeof UserQuery>
export const UserQuery = z.object({
  q: z.optional(SearchText),
  role: z.optional(z.enum(['admin', 'user'])),
  page: z.optional(PageNumber)
})

export type UserList = z.infer<typeof UserList>
export const UserList = z.object({ users: z.array(AdminUser), count: z.int(), pages: z.int() })

export type InvitationDraft = z.infer<typeof InvitationDraft>
export const InvitationDraft = z.object({ email: codeEmail, staff: z.enum(STAFF) })

export type Invitation = z.infer<typeof Invitation>
export const Invitation = z.extend(InvitationDraft, { id: z.string(), expiresAt: Instant })

export type Invited = z.infer<typeof Invited>
export const Invited = z.object({
  link: z.string(),
  expiresAt: Instant,
  mailed: z.boolean(),
  /** To send in another way. */
  message: z.string()
})

export type InvitationToken = z.infer<typeof InvitationToken>
export const InvitationToken = z.object({ token: limitedText(100) })

export type StaffChange = z.infer<typeof StaffChange>
export const StaffChange = z.object({
  from: z.nullable(z.enum(STAFF)),
  to: z.nullable(z.enum(STAFF))
})

export interface AccountsApi {
  'GET /auth/me': { reply: User }
  'POST /auth/login': { body: Login; reply: Session }
  'POST /auth/register': { body: Registration; reply: Session }
  'POST /auth/invitation': { body: InvitationToken; reply: Session }
  'POST /auth/send-otp': { body: CodeRequest; reply: CodeSent }
  'POST /auth/verify-otp': { body: CodeLogin; reply: Session }
  'PUT /auth/profile': { body: Profile; reply: User }
  'POST /auth/logout': { reply: Done }
  'POST /auth/logout-everywhere': { reply: Done }
  'PUT /auth/password': { body: PasswordChange; reply: Session }
  'POST /auth/email-code': { body: EmailChangeRequest; reply: EmailChangeReply }
  'PUT /auth/email': { body: CodeLogin; reply: Session }
  'GET /auth/my-data': { reply: MyData }
  'DELETE /auth/me': { body: Verification; reply: Done }
  'PUT /admin/login': { body: OwnLogin; reply: Session }
  'POST /admin/verification': { body: Verification; reply: Done }
  'GET /admin/invitations': { reply: Invitation[] }
  'POST /admin/invitations': { body: InvitationDraft; reply: Invited }
  'DELETE /admin/invitations/{id}': ById<Done>
  'GET /admin/users': { query: QueryStrings<UserQuery>; reply: UserList }
  'GET /admin/users/{id}': ById<AdminUser>
  'POST /admin/users/{id}/staff': ById<AdminUser, { body: StaffChange }>
  'POST /admin/users/{id}/logout': ById<Done>
}
