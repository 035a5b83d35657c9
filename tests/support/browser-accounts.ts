import { randomUUID } from 'node:crypto'
import { readMails } from './browser-data.ts'
import { expect, type Page } from 'playwright/test'
import type { Session } from '#lib/contract/accounts.ts'
import type { ContactMessage } from '#lib/contract/content.ts'
import { createSession, deleteSessionsOf } from '#server/accounts/sessions.ts'
import { readConfig } from '#server/config.ts'
import { connect, type Database } from '#server/platform/db/connect.ts'
import { createWrite, type Write } from '#server/platform/db/write.ts'
import { createPasswords } from '#server/accounts/passwords.ts'
import { insertMessage } from '#server/content/contact.ts'
import { insertUser } from '#server/accounts/users.ts'
import type { UserRow } from '#server/platform/db/tables.ts'

export interface Shopper {
  email: string
  name: string
  /** Empty for an account without a password. */
  password: string
  row: UserRow
}

type Draft = Pick<Shopper, 'name' | 'password'> & Pick<UserRow, 'staff'>

export class Accounts {
  readonly #dataDir: string
  readonly #database: Database
  readonly #write: Write
  // Cheap parameters save time. The server accepts such a hash, because a hash contains its
  // parameters.
  readonly #passwords = createPasswords({ memoryCost: 64, timeCost: 1 })

  constructor(dataDir: string) {
    this.#dataDir = dataDir
    this.#database = connect(readConfig({ DATA_DIR: dataDir }))
    this.#write = createWrite(this.#database)
  }

  close(): Promise<void> {
    return this.#database.close()
  }

  async add({
    name = 'Anita Kumar',
    password = 'kesari-47-bowls',
    staff = null
  }: Partial<Draft> = {}): Promise<Shopper> {
    const email = newEmail()
    const now = new Date().toISOString()
    const password_hash = password === '' ? null : await this.#passwords.hash(password)
    const draft = {
      id: randomUUID(),
      email,
      name,
      staff,
      password_hash,
      verified_at: now,
      created_at: now
    }
    const row = await this.#write(trx => insertUser(trx, draft))
    if (!row) throw new Error(`${email} already has an account`)
    return { email, name, password, row }
  }

  async logIn(page: Page, { row }: Shopper): Promise<Session> {
    const session = await this.#write(trx => createSession(trx, row, Date.now()))
    await page.goto('/robots.txt')
    await page.evaluate(({ token, user }) => {
      localStorage.setItem('token', token)
      localStorage.setItem('user', JSON.stringify(user))
    }, session)
    return session
  }

  /** Returns the request headers of another administrator. */
  async adminHeaders(): Promise<{ authorization: string }> {
    const { row } = await this.add({ name: 'Ravi', staff: 'owner' })
    const { token } = await this.#write(trx => createSession(trx, row, Date.now()))
    return { authorization: `Bearer ${token}` }
  }

  /**
   * Writes to the database directly, because all tests share the rate limit of the contact form.
   */
  async addMessage(message: ContactMessage): Promise<void> {
    await this.#write(trx => insertMessage(trx, message, Date.now()))
  }

  endSessions({ row }: Shopper): Promise<void> {
    return this.#write(trx => deleteSessionsOf(trx, row.id))
  }

  /** Waits until a code has been mailed to this email. */
  async waitForCode(email: string): Promise<string> {
    await expect.poll(() => this.#codesTo(email).length).toBe(1)
    return this.#codesTo(email)[0] ?? ''
  }

  #codesTo(email: string): string[] {
    return readMails(this.#dataDir, email).map(mail => /^Subject: (\d{6})/m.exec(mail)?.[1] ?? '')
  }
}

export function newEmail(): string {
  return `anita-${randomUUID().slice(0, 8)}@example.test`
}
