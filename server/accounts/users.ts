import { type Insertable, sql } from 'kysely'
import { createHmac } from 'node:crypto'
import { isTypedName } from '#lib/account/forms.ts'
import type {
  Address,
  AdminUser,
  StaffChange,
  User,
  UserList,
  UserQuery
} from '#lib/contract/accounts.ts'
import { language } from '#lib/contract/texts.ts'
import { ShopError } from '#lib/errors.ts'
import type { IsoTime } from '#lib/time.ts'
import { containsAll, readPage } from '../platform/db/search.ts'
import type { Db, Tables, Trx, UserRow } from '../platform/db/tables.ts'
import { hasWritten, lockRow, type DataDeps } from '../platform/db/write.ts'
import type { Passwords } from './passwords.ts'

export interface AccountDeps extends DataDeps {
  passwords: Passwords
  codeSecret: Buffer
  deleteShoppingData(trx: Trx, userId: string): Promise<void>
  readShopName(db: Db): Promise<string>
  sendsMail(): Promise<boolean>
  config: { siteUrl: string }
}

type UserDraft = Omit<Insertable<Tables['users']>, 'phone'>

export function toUser(row: UserRow): User {
  return {
    _id: row.id,
    email: row.email,
    name: row.name,
    role: row.staff === null ? 'user' : 'admin',
    staff: row.staff,
    language: row.language,
    phoneNumber: row.phone,
    address: row.address === null ? null : (JSON.parse(row.address) as Address),
    hasPassword: row.password_hash !== null,
    verified: row.verified_at !== null
  }
}

export function findUser(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

export function findLiveUser(db: Db, id: string): Promise<UserRow | undefined> {
  const live = db.selectFrom('users').selectAll().where('deleted_at', 'is', null)
  return live.where('id', '=', id).executeTakeFirst()
}

export async function hasOwner(db: Db): Promise<boolean> {
  return (await findFirstOwner(db)) !== undefined
}

export function findFirstOwner(db: Db): Promise<Pick<UserRow, 'email' | 'language'> | undefined> {
  const live = db.selectFrom('users').select(['email', 'language']).where('deleted_at', 'is', null)
  return live.where('staff', '=', 'owner').orderBy('created_at').limit(1).executeTakeFirst()
}

export function insertUser(trx: Trx, draft: UserDraft): Promise<UserRow | undefined> {
  return trx
    .insertInto('users')
    .values({ language: language(), ...draft, phone: '' })
    .onConflict(conflict => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Returns undefined if the address is already verified. Also deletes the password. */
export function verifyUser(trx: Trx, email: string, now: IsoTime): Promise<UserRow | undefined> {
  return trx
    .updateTable('users')
    .set({ verified_at: now, password_hash: null, printed_password_at: null })
    .where('email', '=', email)
    .where('verified_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function fillEmptyProfile(
  trx: Trx,
  id: string,
  { name, phone }: Pick<UserRow, 'name' | 'phone'>
): Promise<void> {
  const filled = await trx
    .updateTable('users')
    .set({ phone })
    .where('id', '=', id)
    .where('phone', '=', '')
    .where('address', 'is', null)
    .where('deleted_at', 'is', null)
    .returning(['name', 'email'])
    .executeTakeFirst()
  if (filled && !isTypedName(filled)) await updateUser(trx, id, { name })
}

export async function lockUser(trx: Trx, id: string): Promise<boolean> {
  return (await lockRow(trx, 'users', id))?.deleted_at === null
}

export async function lockPassword(trx: Trx, { id, password_hash }: UserRow): Promise<boolean> {
  return hasWritten(
    trx
      .updateTable('users')
      .set({ password_hash })
      .where('id', '=', id)
      .where('password_hash', '=', password_hash)
  )
}

export function updateUser(
  trx: Trx,
  id: string,
  changes: Partial<Omit<UserRow, 'id' | 'staff' | 'created_at' | 'deleted_at'>>
): Promise<UserRow | undefined> {
  return trx
    .updateTable('users')
    .set(changes)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export function promoteUser(trx: Trx, draft: UserDraft): Promise<UserRow> {
  const { email, staff, password_hash, verified_at, printed_password_at = null } = draft
  return trx
    .updateTable('users')
    .set({ staff, password_hash, verified_at, printed_password_at })
    .where('email', '=', email)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Deletes the personal data, but not the row, because orders reference the row. */
export async function anonymiseUser(trx: Trx, id: string, now: IsoTime): Promise<void> {
  await trx
    .updateTable('users')
    .set({
      email: `deleted-${id}`,
      name: '',
      staff: null,
      phone: '',
      address: null,
      password_hash: null,
      verified_at: null,
      deleted_at: now
    })
    .where('id', '=', id)
    .execute()
}

export async function readUsers(
  db: Db,
  { q, role, page }: UserQuery,
  now: IsoTime
): Promise<UserList> {
  const searchText = sql<string>`lower(users.name || ' ' || users.email || ' ' || users.phone)`
  let found = selectAccounts(db, now)
    .where(containsAll(db, searchText, q))
    .orderBy('created_at', 'desc')
    .orderBy('users.id')
  if (role !== undefined) found = found.where('staff', role === 'admin' ? 'is not' : 'is', null)
  const { rows, ...counts } = await readPage('users', found, { q, page })
  return { users: rows.map(toAdminUser), ...counts }
}

export async function readUser(db: Db, id: string, now: IsoTime): Promise<AdminUser> {
  const found = selectAccounts(db, now).where('users.id', '=', id)
  return toAdminUser(await found.executeTakeFirstOrThrow(() => new ShopError('USER_NOT_FOUND')))
}

export async function setStaff(trx: Trx, id: string, { from, to }: StaffChange): Promise<boolean> {
  return hasWritten(
    trx
      .updateTable('users')
      .set({ staff: to })
      .where('id', '=', id)
      .where('staff', from === null ? 'is' : '=', from)
      .where('deleted_at', 'is', null)
  )
}

function selectAccounts(db: Db, now: string) {
  return db
    .selectFrom('users')
    .selectAll('users')
    .select(({ selectFrom }) => [
      selectFrom('orders')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('orders.user_id', '=', 'users.id')
        .where('paid_at', 'is not', null)
        .as('orders'),
      selectFrom('sessions')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('sessions.user_id', '=', 'users.id')
        .where('expires_at', '>', now)
        .as('sessions')
    ])
    .where('deleted_at', 'is', null)
}

type Account = Awaited<ReturnType<ReturnType<typeof selectAccounts>['executeTakeFirstOrThrow']>>

function toAdminUser(row: Account): AdminUser {
  return {
    ...toUser(row),
    createdAt: row.created_at,
    orders: Number(row.orders),
    sessions: Number(row.sessions)
  }
}

/** A keyed hash per `offer`, so that nobody can follow a person from offer to offer. */
export function hashPerson(secret: Buffer, offer: string, email: string): string {
  return createHmac('sha256', secret)
    .update(`${offer}|${toMailbox(email)}`)
    .digest('hex')
}

/** `a.b+deals@gmail.com` and `ab@gmail.com` are one mailbox. Only Gmail ignores dots. */
function toMailbox(email: string) {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com')
  const name = email.slice(0, at).replace(/(?<=.)\+.*$/, '')
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`
}
