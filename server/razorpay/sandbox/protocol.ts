import { randomInt } from 'node:crypto'
import * as z from 'zod/mini'
import { ID_CHARACTERS, ID_LENGTH } from '../settings.ts'

/** Razorpay's objects, with the fields of its API. Amounts are in paise, times in Unix seconds. */

/** Razorpay sends an empty array if there are no notes. */
type Notes = Record<string, string> | []

export interface Order {
  id: string
  entity: 'order'
  amount: number
  amount_paid: number
  amount_due: number
  currency: string
  receipt: string | null
  offer_id: null
  status: 'created' | 'attempted' | 'paid'
  attempts: number
  notes: Notes
  created_at: number
}

type PaymentError = Record<keyof typeof NO_ERROR, string | null>

export interface Payment extends PaymentError {
  id: string
  entity: 'payment'
  amount: number
  currency: string
  status: 'created' | 'authorized' | 'captured' | 'refunded' | 'failed'
  order_id: string
  invoice_id: null
  international: boolean
  method: string
  amount_refunded: number
  refund_status: 'partial' | 'full' | null
  captured: boolean
  description: string | null
  card_id: null
  bank: null
  wallet: null
  vpa: string
  email: string
  contact: string
  notes: Notes
  fee: number | null
  tax: number | null
  acquirer_data: { rrn: string | null }
  created_at: number
  upi: { vpa: string; flow: string }
}

export interface Refund {
  id: string
  entity: 'refund'
  amount: number
  currency: string
  payment_id: string
  notes: Notes
  receipt: string | null
  acquirer_data: { arn: string | null }
  created_at: number
  batch_id: null
  status: 'pending' | 'processed' | 'failed'
  speed_processed: 'normal'
  speed_requested: 'normal'
}

export const DISPUTE_STATUSES = ['open', 'under_review', 'won', 'lost', 'closed'] as const

export interface Dispute {
  id: string
  entity: 'dispute'
  payment_id: string
  amount: number
  currency: string
  amount_deducted: number
  reason_code: string
  respond_by: number
  status: (typeof DISPUTE_STATUSES)[number]
  phase: 'chargeback'
  created_at: number
}

interface Collection<Item> {
  entity: 'collection'
  count: number
  items: Item[]
}

export interface CaptureRule {
  automatic: boolean
  /**
   * A payment is captured automatically if it is authorised within this number of minutes after its
   * creation.
   */
  automaticExpiry: number
  /**
   * A payment is refunded if it is not captured within this number of minutes after its creation.
   */
  manualExpiry: number
}

export const EVENTS = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'order.paid',
  'refund.processed',
  'refund.failed',
  'payment.dispute.created',
  'payment.dispute.under_review',
  'payment.dispute.won',
  'payment.dispute.lost',
  'payment.dispute.closed'
] as const

export type EventName = (typeof EVENTS)[number]

export const NO_ERROR = {
  error_code: null,
  error_description: null,
  error_source: null,
  error_step: null,
  error_reason: null
} as const

export const DECLINED_BY_BANK: PaymentError = {
  error_code: 'BAD_REQUEST_ERROR',
  error_description:
    "Your payment didn't go through as it was declined by the bank. Try another payment method.",
  error_source: 'bank',
  error_step: 'payment_authorization',
  error_reason: 'payment_failed'
}

export function createId(prefix: 'order' | 'pay' | 'rfnd' | 'disp' | 'evt'): string {
  const characters = Array.from(
    { length: ID_LENGTH },
    () => ID_CHARACTERS[randomInt(ID_CHARACTERS.length)]
  )
  return `${prefix}_${characters.join('')}`
}

export function toCollection<Item>(items: Item[]): Collection<Item> {
  return { entity: 'collection', count: items.length, items }
}

export class RazorpayError extends Error {
  override readonly name = 'RazorpayError'
  readonly status: number
  readonly body: { error: ErrorDetails }

  constructor(
    description: string,
    { status = 400, ...more }: Partial<ErrorDetails> & { status?: number } = {}
  ) {
    super(description)
    this.status = status
    this.body = { error: { ...DEFAULT_DETAILS, description, ...more } }
  }
}

interface ErrorDetails {
  code: string
  description: string
  source: string
  step: string
  reason: string
  metadata: Readonly<Record<string, string>>
  field?: string
}

const DEFAULT_DETAILS = {
  code: 'BAD_REQUEST_ERROR',
  source: 'business',
  step: 'payment_initiation',
  reason: 'input_validation_failed',
  metadata: {}
} as const

const NOT_AVAILABLE = { source: 'NA', step: 'NA', reason: 'NA' } as const

export const unknownIdError = (): RazorpayError =>
  new RazorpayError('The id provided does not exist')

export const unknownUrlError = (): RazorpayError =>
  new RazorpayError('The requested URL was not found on the server.', NOT_AVAILABLE)

export const authenticationError = (): RazorpayError =>
  new RazorpayError('Authentication failed', { ...NOT_AVAILABLE, status: 401 })

export const malformedRequestError = (): RazorpayError =>
  new RazorpayError('The request could not be understood by the server.', NOT_AVAILABLE)

export const alreadyPaidError = (): RazorpayError =>
  new RazorpayError('Payment already done for this order.')

export const reusedKeyError = (): RazorpayError =>
  new RazorpayError('Different request with the same idempotency key has already been processed.', {
    ...NOT_AVAILABLE,
    status: 409
  })

export const serverError = (): RazorpayError =>
  new RazorpayError(
    'We are facing some trouble completing your request at the moment. Please try again shortly.',
    {
      ...NOT_AVAILABLE,
      status: 500,
      code: 'SERVER_ERROR'
    }
  )

const MAX_NOTES = 15

export const amount = z.int(withErrors('amount', 'The amount must be an integer.'))
export const currency = z.literal('INR', withErrors('currency', 'Currency is not supported'))
export const receipt = z
  .string('The receipt must be a string.')
  .check(z.maxLength(40, 'The receipt may not be greater than 40 characters.'))

const note = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value): string => String(value))
)
const pairs = z.record(z.string(), note).check(
  z.refine(
    fields => Object.keys(fields).length <= MAX_NOTES,
    `Number of fields in notes should be less than or equal to ${MAX_NOTES}`
  ),
  z.refine(
    fields => Object.values(fields).every(value => value.length <= 256),
    'The notes may not be greater than 256 characters.'
  )
)

export const notes = z.pipe(
  z.union([pairs, z.array(z.never())]),
  z.transform((value): Notes =>
    Array.isArray(value) || Object.keys(value).length === 0 ? [] : value
  )
)

export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  body: unknown
): z.infer<Schema> {
  const parsed = z.safeParse(schema, body ?? {})
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.')
  if (issue?.code === 'unrecognized_keys') {
    throw new RazorpayError(`${issue.keys.join(', ')} is/are not required and should not be sent`)
  }
  throw new RazorpayError(findMessage(issue) || `The ${field} is invalid.`, field ? { field } : {})
}

// For a union type, zod nests the issues of each member. The first issue from our own checks is the
// most specific one.
function findMessage(issue: z.core.$ZodIssue | undefined): string | undefined {
  const customIssue =
    issue?.code === 'invalid_union'
      ? issue.errors.flat().find(({ code }) => code === 'custom')
      : undefined
  return customIssue?.message ?? (issue?.message === 'Invalid input' ? undefined : issue?.message)
}

function withErrors(
  field: string,
  invalidText: string
): { error: (issue: { input?: unknown }) => string } {
  return {
    error: ({ input }) => (input === undefined ? `The ${field} field is required.` : invalidText)
  }
}
