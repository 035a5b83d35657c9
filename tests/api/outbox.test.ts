import { describe, expect, onTestFinished, test } from 'vitest'
import { DAY, HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { createSmtpMail, type Mail, type MailGateway } from '#server/platform/mail/mail.ts'
import {
  backoffAfter,
  deliverMails,
  enqueueMail,
  type OutboxDeps,
  startOutbox
} from '#server/platform/mail/outbox.ts'
import { ENGINES } from '../support/database.ts'
import { startMailServer, type MailServer, type Mode } from '../support/mail-server.ts'
import { freePort } from '../support/server.ts'
import { openShop, type Shop } from '../support/shop.ts'

const readSender = async (): Promise<string> => '"Palagaram" <hello@palagaram.example>'
const mailOf = (id: string): Mail => ({
  id,
  to: 'owner@palagaram.example',
  subject: `About ${id}`,
  text: 'Vanakkam'
})

function depsOf({ database, write, clock, app: { log } }: Shop, mail: MailGateway): OutboxDeps {
  return { database, write, clock, mail, maySend: async () => true, log }
}

async function enqueue(shop: Shop, ...ids: string[]): Promise<void> {
  for (const id of ids)
    await shop.write(trx => enqueueMail(trx, mailOf(id), new Date(shop.clock()).toISOString()))
}

async function listStates({ database }: Shop): Promise<unknown[]> {
  const rows = await database.kysely
    .selectFrom('outbox')
    .select(['state', 'attempts'])
    .orderBy('id')
    .execute()
  return rows.map(({ state, attempts }) => `${state} ${attempts}`)
}

async function openMailServer(mode: Mode, port?: number): Promise<MailServer> {
  const server = await startMailServer(mode, port)
  onTestFinished(() => server.stop())
  return server
}

/** Ends the lease of a process that was killed, as if its time was over. */
async function endLeases({ database }: Shop): Promise<void> {
  await database.kysely
    .updateTable('leases')
    .set({ until: new Date(Date.now() - SECOND).toISOString() })
    .execute()
}

function sortedSubjects(server: MailServer): (string | undefined)[] {
  return server.received.map(mail => /^Subject: (.*)$/m.exec(mail)?.[1]).sort()
}

describe('Outbox', () => {
  test('retries while the mail server is down or refuses mails', async () => {
    const port = await freePort()
    const shop = await openShop('sqlite', {
      mail: createSmtpMail(`smtp://127.0.0.1:${port}`, readSender)
    })
    await enqueue(shop, 'a', 'b')
    await shop.deliverMails()
    expect(await listStates(shop)).toEqual(['waiting 1', 'waiting 1'])

    const server = await openMailServer('reject', port)
    await shop.deliverMails()
    expect(await listStates(shop)).toEqual(['waiting 1', 'waiting 1'])
    shop.clock.advance(30 * SECOND)
    await shop.deliverMails()
    expect(await listStates(shop)).toEqual(['waiting 2', 'waiting 2'])

    server.mode = 'accept'
    shop.clock.advance(MINUTE)
    await shop.deliverMails()
    expect(await listStates(shop)).toEqual(['sent 3', 'sent 3'])
    expect(sortedSubjects(server)).toEqual(['About a', 'About b'])
  })

  test('stops sending a mail after three days of failures and logs this only once', async () => {
    const lines: string[] = []
    const mail = {
      send: () => Promise.reject(new Error('No such mailbox: owner@palagaram.example'))
    }
    const shop = await openShop('sqlite', {
      mail,
      logTarget: { write: line => void lines.push(line) }
    })
    await enqueue(shop, 'a')
    for (let hours = 0; hours < 80; hours++) {
      await shop.deliverMails()
      shop.clock.advance(HOUR)
    }
    const [state] = await listStates(shop)
    expect(state).toMatch(/^given_up /)
    expect(lines.filter(line => line.includes('giving up'))).toHaveLength(1)
    expect(lines.join('')).not.toContain('owner@palagaram.example')
  })

  test('does not delay requests while a mail server does not reply', async () => {
    const server = await openMailServer('silent')
    const shop = await openShop('sqlite', {
      mail: createSmtpMail(server.url, readSender),
      products: { laddu: {} }
    })
    await enqueue(shop, 'a')
    const outbox = startOutbox(depsOf(shop, createSmtpMail(server.url, readSender)))
    const startedAt = performance.now()
    const message = { name: 'Anita', email: 'anita@example.com', message: 'Vanakkam' }
    expect((await shop.post('/contact', message)).status).toBe(200)
    expect((await shop.get('/products')).status).toBe(200)
    expect(performance.now() - startedAt).toBeLessThan(2 * SECOND)
    await outbox.stop()
    expect(performance.now() - startedAt).toBeLessThan(5 * SECOND)
    expect(await listStates(shop)).toEqual(['waiting 0', 'waiting 0', 'waiting 0'])
  })

  test('delivers a queued mail in the background', async () => {
    const server = await openMailServer('accept')
    const shop = await openShop('sqlite')
    const outbox = startOutbox(depsOf(shop, createSmtpMail(server.url, readSender)))
    onTestFinished(() => outbox.stop())
    await enqueue(shop, 'a')
    outbox.wake()
    await expect.poll(() => sortedSubjects(server)).toEqual(['About a'])
  })
})

describe.each(ENGINES)('Outbox on %s', engine => {
  test('delivers each mail once, even if queued twice', async () => {
    const server = await openMailServer('accept')
    const shop = await openShop(engine, { mail: createSmtpMail(server.url, readSender) })
    await enqueue(shop, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'a')
    await shop.deliverMails()
    await shop.deliverMails()
    expect(sortedSubjects(server)).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(id => `About ${id}`)
    )
    expect(new Set(await listStates(shop))).toEqual(new Set(['sent 1']))
  })

  test('delivers each mail once if three processes deliver at the same time', async () => {
    const server = await openMailServer('accept')
    const shop = await openShop(engine)
    const deps = depsOf(shop, createSmtpMail(server.url, readSender))
    await enqueue(shop, 'a', 'b', 'c')
    await Promise.all(['one', 'other', 'third'].map(holder => deliverMails(deps, holder)))
    expect(sortedSubjects(server)).toEqual(['About a', 'About b', 'About c'])
  })

  test('delivers the mails of a process that crashed during delivery', async () => {
    const shop = await openShop(engine)
    await enqueue(shop, 'a')
    void deliverMails(depsOf(shop, { send: () => new Promise(() => undefined) }), 'crashed')
    await expect
      .poll(
        async () =>
          (await shop.database.kysely.selectFrom('leases').select('holder').execute()).length
      )
      .toBe(1)
    await shop.deliverMails()
    expect(shop.mails).toEqual([])
    await endLeases(shop)
    await shop.deliverMails()
    expect(shop.mails).toEqual([mailOf('a')])
  })
})

test('The waiting time before the next delivery attempt doubles after each attempt, up to four hours', () => {
  expect([1, 2, 3].map(backoffAfter)).toEqual([30 * SECOND, MINUTE, 2 * MINUTE])
  expect(backoffAfter(30)).toBe(4 * HOUR)
  expect(backoffAfter(30)).toBeLessThan(DAY)
})
