import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright/test'
import type { AdminProduct, ProductChange } from '#lib/contract/catalog.ts'
import { createPasswords } from '#server/accounts/passwords.ts'
import { createSession, deleteSessionsOf } from '#server/accounts/sessions.ts'
import { insertUser } from '#server/accounts/users.ts'
import { readConfig } from '#server/config.ts'
import { connect, type Database } from '#server/platform/db/connect.ts'
import type { UserRow } from '#server/platform/db/tables.ts'
import { createWrite, type Write } from '#server/platform/db/write.ts'
import { ADDRESS } from './browser-data.ts'
import type { RunningShop } from './server.ts'

export interface Shopper {
  email: string
  name: string
  password: string
  row: UserRow
}

type Draft = Pick<Shopper, 'name'> & Pick<UserRow, 'staff'>

const PASSWORD = 'kesari-47-bowls'

export class Accounts {
  readonly write: Write
  readonly #url: string
  readonly #database: Database
  // Cheap parameters save time. The server accepts such a hash, because a hash contains its
  // parameters.
  readonly #hash = createPasswords({ memoryCost: 64, timeCost: 1 }).hash(PASSWORD)

  constructor({ url, dataDir }: RunningShop) {
    this.#url = url
    this.#database = connect(readConfig({ DATA_DIR: dataDir }))
    this.write = createWrite(this.#database)
  }

  close() {
    return this.#database.close()
  }

  async add({ name = 'Anita Kumar', staff = null }: Partial<Draft> = {}) {
    const email = newEmail()
    const now = new Date().toISOString()
    const draft = {
      id: randomUUID(),
      email,
      name,
      staff,
      password_hash: await this.#hash,
      verified_at: now,
      created_at: now
    }
    const row = await this.write(trx => insertUser(trx, draft))
    if (!row) throw new Error(`${email} already has an account`)
    return { email, name, password: PASSWORD, row }
  }

  async logIn(page: Page, { row }: Shopper) {
    const session = await this.write(trx => createSession(trx, row, Date.now()))
    await page.goto('/robots.txt')
    await page.evaluate(({ token, user }) => {
      localStorage.setItem('token', token)
      localStorage.setItem('user', JSON.stringify(user))
    }, session)
    return session
  }

  async saveAddress({ row }: Shopper) {
    const address = { phone: '9876543210', address: JSON.stringify(ADDRESS) }
    await this.write(trx =>
      trx.updateTable('users').set(address).where('id', '=', row.id).execute()
    )
  }

  /** Returns the request headers of another administrator. */
  async adminHeaders(): Promise<{ authorization: string }> {
    const { row } = await this.add({ name: 'Ravi', staff: 'owner' })
    const { token } = await this.write(trx => createSession(trx, row, Date.now()))
    return { authorization: `Bearer ${token}` }
  }

  /** Changes a product as another administrator does. */
  async changeProduct(id: string, change: Omit<ProductChange, 'version'>) {
    const url = `${this.#url}/api/admin/products/${id}`
    const headers = { ...(await this.adminHeaders()), 'content-type': 'application/json' }
    const { version } = (await (await fetch(url, { headers })).json()) as AdminProduct
    const body = JSON.stringify({ ...change, version })
    const { ok } = await fetch(url, { method: 'PATCH', headers, body })
    if (!ok) throw new Error(`${id} could not be changed`)
  }

  endSessions({ row }: Shopper) {
    return this.write(trx => deleteSessionsOf(trx, row.id))
  }
}

export function newEmail(): string {
  return `anita-${randomUUID().slice(0, 8)}@example.test`
}
