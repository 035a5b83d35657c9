import { ShopError } from '#lib/errors.ts'

// SQLSTATE: 08 connection, 53 resources, 57P0 shutdown, 57014 and 25P03 timeouts.
const UNAVAILABLE_STATE = /^(08|53|57P0|57014|25P03)/
const UNAVAILABLE_FILE = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|NOMEM)/
const UNAVAILABLE_NETWORK =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOSPC|EDQUOT)/
// Messages of pg and Kysely errors that have no code.
const UNAVAILABLE_TEXT =
  /Connection terminated|not queryable|timeout exceeded when|been destroyed|connection is not open/
// Serialization failure, deadlock, timeout of a lock.
const CONFLICT_STATES = new Set(['40001', '40P01', '55P03'])

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

export function isRetryable(error: unknown): boolean {
  return isBusy(error) || CONFLICT_STATES.has(codeOf(error)) || isOutdatedPlan(error)
}

/** A column was added to the table of a prepared statement. Messages may be translated. */
export function isOutdatedPlan(error: unknown): boolean {
  return (
    codeOf(error) === '0A000' &&
    error instanceof Error &&
    'routine' in error &&
    error.routine === 'RevalidateCachedQuery'
  )
}

export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505' || codeOf(error) === 'SQLITE_CONSTRAINT_UNIQUE'
}

export function isMissingReference(error: unknown): boolean {
  return codeOf(error) === '23503' || codeOf(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY'
}

export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    isRetryable(error) ||
    UNAVAILABLE_STATE.test(code) ||
    UNAVAILABLE_FILE.test(code) ||
    UNAVAILABLE_NETWORK.test(code) ||
    (error instanceof Error && UNAVAILABLE_TEXT.test(error.message)) ||
    (error instanceof AggregateError && error.errors.some(isUnavailable))
  )
}

export function mapDatabaseFailure(error: unknown): unknown {
  return isUnavailable(error) ? new ShopError('UNAVAILABLE', { cause: error }) : error
}

function codeOf(error: unknown) {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
