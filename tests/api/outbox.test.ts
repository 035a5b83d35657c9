import { describe, expect, onTestFinished, test } from 'vitest'
import { HOUR, MINUTE, SECOND } from '#lib/time.ts'
import { createSmtpMail, type MailGateway } from '#server/platform/mail/mail.ts'
import {
  backoffAfter,
  deliverMails,
  enqueueMail,
  startOutbox
} from '#server/platform/mail/outbox.ts'
import { ENGINES } from '../support/database.ts'
import { startMailServer, type MailServer } from '../support/mail-server.ts'
import { openShop, type Shop } from '../support/shop.ts'

const readSender = async () => '"Palagaram" <hello@palagaram.example>'
const mailOf = (id: string) => ({
  id,
  to: 'owner@palagaram.example',
  subject: `About ${id}`,
  text: 'Vanakkam'
})

function depsOf({ database, write, clock, app: { log } }: Shop, mail: MailGateway) {
  return { database, write, clock, mail, maySend: async () => true, log }
}

async function enqueue(shop: Shop, ...ids: string[]) {
  for (const id of ids)
    await shop.write(trx => enqueueMail(trx, mailOf(id), new Date(shop.clock()).toISOString()))
}

async function listStates({ database }: Shop) {
  const rows = await database.kysely.selectFrom('outbox').selectAll().orderBy('id').execute()
  return rows.map(({ state, attempts }) => `${state} ${attempts}`)
}

function sortedSubjects(server: MailServer) {
  return server.received.map(mail => /^Subject: (.*)$/m.exec(mail)?.[1]).sort()
}

describe('Outbox', () => {
  test('waits longer after each failed attempt, up to four hours', async () => {
    const server = await startMailServer('reject')
    const shop = await openShop('sqlite', { mail: createSmtpMail({ url: server.url }, readSender) })
    await enqueue(shop, 'a', 'b')
    for (const wait of [0, 30 * SECOND - 1]) {
      shop.clock.advance(wait)
      await shop.deliverMails()
      expect(await listStates(shop)).toEqual(['waiting 1', 'waiting 1'])
    }
    server.mode = 'accept'
    shop.clock.advance(1)
    await shop.deliverMails()
    expect(await listStates(shop)).toEqual(['sent 2', 'sent 2'])
    expect(sortedSubjects(server)).toEqual(['About a', 'About b'])
    expect([1, 2, 3, 30].map(backoffAfter)).toEqual([30 * SECOND, MINUTE, 2 * MINUTE, 4 * HOUR])
  })

  test('stops sending a mail after three days of failures and logs this without its address', async () => {
    const lines: string[] = []
    const send = () => Promise.reject(new Error('No such mailbox: owner@palagaram.example'))
    const shop = await openShop('sqlite', {
      mail: { send },
      logTarget: { write: line => void lines.push(line) }
    })
    await enqueue(shop, 'a')
    for (let hours = 0; hours < 71; hours++) {
      await shop.deliverMails()
      shop.clock.advance(HOUR)
    }
    expect(await listStates(shop)).toEqual([expect.stringMatching(/^waiting /)])
    for (let hours = 71; hours < 80; hours++) {
      await shop.deliverMails()
      shop.clock.advance(HOUR)
    }
    expect(await listStates(shop)).toEqual([expect.stringMatching(/^given_up /)])
    expect(lines.filter(line => line.includes('giving up'))).toHaveLength(1)
    expect(lines.join('')).not.toContain('owner@palagaram.example')
  })

  test('delivers a queued mail in the background', async () => {
    const server = await startMailServer('accept')
    const shop = await openShop()
    const outbox = startOutbox(depsOf(shop, createSmtpMail({ url: server.url }, readSender)))
    onTestFinished(() => outbox.stop())
    await enqueue(shop, 'a')
    outbox.wake()
    await expect.poll(() => sortedSubjects(server)).toEqual(['About a'])
  })
})

test.for(ENGINES)(
  'The outbox delivers each mail once, even if it is queued twice and three processes deliver, on %s',
  async engine => {
    const server = await startMailServer('accept')
    const shop = await openShop(engine)
    const deps = depsOf(shop, createSmtpMail({ url: server.url }, readSender))
    await enqueue(shop, 'a', 'b', 'c', 'a')
    await Promise.all(['one', 'other', 'third'].map(holder => deliverMails(deps, holder)))
    await deliverMails(deps, 'one')
    expect(sortedSubjects(server)).toEqual(['About a', 'About b', 'About c'])
    expect(await listStates(shop)).toEqual(['sent 1', 'sent 1', 'sent 1'])
  }
)
