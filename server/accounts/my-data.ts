import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import type { MyData, User } from '#lib/contract/accounts.ts'
import { ShopError } from '#lib/errors.ts'
import type { IsoTime } from '#lib/time.ts'
import type { Trx, UserRow } from '../platform/db/tables.ts'
import { isoNow } from '../platform/process/clock.ts'
import type { AccountDeps } from './deps.ts'
import { listSessions } from './sessions.ts'
import { findUser, toUser } from './users.ts'

/** A long list is read in batches while it is sent. */
type InBatches<Data> = { [Field in keyof Data]: Data[Field] | AsyncIterable<Data[Field]> }

/** What the other features store about a person. */
export interface PersonalData {
  read(
    deps: Pick<AccountDeps, 'database' | 'clock'>,
    account: UserRow
  ): Promise<InBatches<Omit<MyData, keyof AccountData>>>
  /** Keeps the addresses of orders that are not delivered yet. */
  erase(trx: Trx, account: UserRow, at: IsoTime): Promise<void>
  /** Called when an account with the verified address `from` gets the address `to`. */
  move(trx: Trx, from: string, to: string): Promise<void>
}

type AccountData = Pick<MyData, 'exportedAt' | 'account' | 'sessions'>

/** If a later batch can't be read, the connection ends. Throws UNAUTHORIZED if the account was deleted. */
export async function sendMyData(
  deps: Pick<AccountDeps, 'database' | 'clock'>,
  personalData: PersonalData,
  { email }: User,
  reply: FastifyReply
): Promise<void> {
  const db = deps.database.kysely
  const account = await findUser(db, email)
  if (!account) throw new ShopError('UNAUTHORIZED')
  const data: InBatches<MyData> = {
    exportedAt: isoNow(deps.clock),
    account: { ...toUser(account), createdAt: account.created_at, verifiedAt: account.verified_at },
    sessions: await listSessions(db, account.id),
    ...(await personalData.read(deps, account))
  }
  reply.type('application/json; charset=utf-8').send(Readable.from(writeObject(data)))
}

async function* writeObject(data: object): AsyncGenerator<string> {
  let separator = '{'
  for (const [name, value] of Object.entries(data) as [string, unknown][]) {
    yield `${separator}${JSON.stringify(name)}:`
    if (isInBatches(value)) yield* writeList(value)
    else yield JSON.stringify(value)
    separator = ','
  }
  yield '}'
}

async function* writeList(batches: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  let separator = ''
  yield '['
  for await (const batch of batches) {
    if (batch.length === 0) continue
    const withoutBrackets = JSON.stringify(batch).slice(1, -1)
    yield separator + withoutBrackets
    separator = ','
  }
  yield ']'
}

function isInBatches(value: unknown): value is AsyncIterable<unknown[]> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
