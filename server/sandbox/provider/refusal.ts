export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly body: { error: RefusalBody }

  constructor(description: string, { status = 400, ...more }: Partial<RefusalBody> & { status?: number } = {}) {
    super(description)
    this.status = status
    this.body = { error: { ...DEFAULT_BODY, description, ...more } }
  }
}

interface RefusalBody {
  code: string
  description: string
  source: string
  step: string
  reason: string
  metadata: Readonly<Record<string, string>>
  field?: string
}

const DEFAULT_BODY = {
  code: 'BAD_REQUEST_ERROR',
  source: 'business',
  step: 'payment_initiation',
  reason: 'input_validation_failed',
  metadata: {}
} as const

const NOT_AVAILABLE = { source: 'NA', step: 'NA', reason: 'NA' } as const

export const noSuchId = (): Refusal => new Refusal('The id provided does not exist')

export const noSuchUrl = (): Refusal => new Refusal('The requested URL was not found on the server.', NOT_AVAILABLE)

export const notAuthenticated = (): Refusal => new Refusal('Authentication failed', { ...NOT_AVAILABLE, status: 401 })

export const unreadable = (): Refusal => new Refusal('The request could not be understood by the server.', NOT_AVAILABLE)

export const alreadyPaid = (): Refusal => new Refusal('Payment already done for this order.')

export const usedKey = (): Refusal =>
  new Refusal('Different request with the same idempotency key has already been processed.', { ...NOT_AVAILABLE, status: 409 })

export const keyInProgress = (): Refusal =>
  new Refusal('Another request with the same idempotency key is still being processed.', { ...NOT_AVAILABLE, status: 409 })

export const tooMany = (): Refusal => new Refusal('Too many requests', { ...NOT_AVAILABLE, status: 429 })

export const serverError = (): Refusal =>
  new Refusal('We are facing some trouble completing your request at the moment. Please try again shortly.', {
    ...NOT_AVAILABLE,
    status: 500,
    code: 'SERVER_ERROR'
  })
