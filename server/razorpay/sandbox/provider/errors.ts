export class RazorpayError extends Error {
  override readonly name = 'RazorpayError'
  readonly status: number
  readonly body: { error: ErrorDetails }

  constructor(description: string, { status = 400, ...more }: Partial<ErrorDetails> & { status?: number } = {}) {
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

export const unknownIdError = (): RazorpayError => new RazorpayError('The id provided does not exist')

export const unknownUrlError = (): RazorpayError =>
  new RazorpayError('The requested URL was not found on the server.', NOT_AVAILABLE)

export const authenticationError = (): RazorpayError =>
  new RazorpayError('Authentication failed', { ...NOT_AVAILABLE, status: 401 })

export const malformedRequestError = (): RazorpayError =>
  new RazorpayError('The request could not be understood by the server.', NOT_AVAILABLE)

export const alreadyPaidError = (): RazorpayError => new RazorpayError('Payment already done for this order.')

export const reusedKeyError = (): RazorpayError =>
  new RazorpayError('Different request with the same idempotency key has already been processed.', {
    ...NOT_AVAILABLE,
    status: 409
  })

export const keyInProgressError = (): RazorpayError =>
  new RazorpayError('Another request with the same idempotency key is still being processed.', {
    ...NOT_AVAILABLE,
    status: 409
  })

export const rateLimitError = (): RazorpayError =>
  new RazorpayError('Too many requests', { ...NOT_AVAILABLE, status: 429 })

export const serverError = (): RazorpayError =>
  new RazorpayError('We are facing some trouble completing your request at the moment. Please try again shortly.', {
    ...NOT_AVAILABLE,
    status: 500,
    code: 'SERVER_ERROR'
  })
