import { ShopError } from '#lib/errors.ts'

// PostgreSQL's classes: 08 connection, 53 no disk, memory or connection left, 57P0x being shut down.
const UNAVAILABLE_STATE = /^(08|53|57P0|25P03|55P03)/
const UNAVAILABLE_FILE = /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN|NOMEM)/
const UNAVAILABLE_NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOSPC|EDQUOT)/
// pg and its pool, and what is being closed, say these without a code.
const UNAVAILABLE_TEXT =
  /Connection terminated|not queryable|timeout exceeded when trying to connect|already been destroyed|connection is not open/
const CONFLICT_STATES = new Set(['40001', '40P01'])

/** Why the shop can't start with this database: one line for the owner. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

/** Another process holds the SQLite file. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** The same transaction may succeed when it is run again. */
export function isRetryable(error: unknown): boolean {
  return isBusy(error) || CONFLICT_STATES.has(codeOf(error))
}

/** The database can't do its work now: its disk is full, it is busy, or it can't be reached. */
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

/** What a caller gets instead: UNAVAILABLE with the cause for the log, or the error itself. */
export function translated(error: unknown): unknown {
  return isUnavailable(error) ? new ShopError('UNAVAILABLE', { cause: error }) : error
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
