import { readdir } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFileMail, createSmtpMail } from '#server/platform/mail/mail.ts'
import { ADMIN, statusAndCode } from '../support/accounts.ts'
import { startMailServer } from '../support/mail-server.ts'
import { openSettings } from '../support/settings.ts'
import type { Reply } from '../support/shop.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('A test mail', () => {
  const SENDER = async (): Promise<string> => '"Palagaram" <hello@palagaram.example>'
  const sendTestMail = (shop: Awaited<ReturnType<typeof openSettings>>): Promise<Reply> =>
    shop.callAsAdmin('POST /admin/settings/mail/test')

  test('goes to the administrator’s own address, with the signature', async () => {
    const shop = await openSettings()
    await shop.save('mail', { signature: 'Meena and team' })
    const reply = await sendTestMail(shop)
    expect([reply.status, shop.mails]).toEqual([
      200,
      [
        expect.objectContaining({
          to: ADMIN.email,
          text: expect.stringContaining('Meena and team') as string
        })
      ]
    ])
  })

  test('without a mail server is in a folder, which the reply names', async () => {
    const folder = await temporaryFolder()
    const shop = await openSettings('sqlite', { mail: createFileMail(folder, SENDER) })
    expect((await sendTestMail(shop)).body).toEqual({
      message: `Emails are written to a folder: SMTP_URL is not set. The test email is in ${folder}.`
    })
    expect(await readdir(folder)).toEqual([expect.stringMatching(/^test-.*\.eml$/)])
  })

  test('shows the answer of a mail server that refuses it', async () => {
    const server = await startMailServer('reject')
    onTestFinished(server.stop)
    const shop = await openSettings('sqlite', {
      mail: createSmtpMail(server.url, SENDER),
      config: { smtpUrl: server.url }
    })
    const refused = await sendTestMail(shop)
    expect([statusAndCode(refused), (refused.body as { message: string }).message]).toEqual([
      '503 MAIL_NOT_SENT',
      'The mail server answered: 451 Try later'
    ])
    const isMailMissing = async (): Promise<boolean> =>
      (await shop.callAsAdmin('GET /admin/setup')).text.includes('testMail')
    expect(await isMailMissing()).toBe(true)
    server.mode = 'accept'
    expect((await sendTestMail(shop)).body).toEqual({
      message: expect.stringContaining('127.0.0.1') as string
    })
    expect([server.received.length, await isMailMissing()]).toEqual([1, false])
  })

  test('says that a mail server can’t be reached', async () => {
    const server = await startMailServer('reject')
    await server.stop()
    const shop = await openSettings('sqlite', { mail: createSmtpMail(server.url, SENDER) })
    const { message } = (await sendTestMail(shop)).body as { message: string }
    expect(message).toMatch(/^The mail server could not be reached: .*ECONNREFUSED/)
  })

  test('can be sent five times in ten minutes', async () => {
    const shop = await openSettings()
    for (let count = 0; count < 5; count++) expect((await sendTestMail(shop)).status).toBe(200)
    expect(statusAndCode(await sendTestMail(shop))).toBe('429 TOO_MANY_REQUESTS')
  })
})
