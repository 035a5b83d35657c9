import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MESSAGES } from '#lib/messages.ts'
import { MINUTE } from '#lib/time.ts'
import {
  createMail,
  createFileMail,
  createSmtpMail,
  type Mail
} from '#server/platform/mail/mail.ts'
import { deleteOldFiles } from '#server/platform/storage/files.ts'
import { ADMIN, expectOk, expectOutcome, statusAndCode } from '../support/accounts.ts'
import { startMailServer } from '../support/mail-server.ts'
import { openSettings } from '../support/settings.ts'
import type { Reply } from '../support/shop.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const readSender = async () => '"Palagaram" <hello@palagaram.example>'
const mail: Mail = {
  id: 'contact-1',
  to: 'owner@palagaram.example',
  replyTo: { name: 'Anita Kumar', address: 'anita@example.com' },
  subject: 'Message PG-7F3K2M',
  text: 'வணக்கம், do you send to Chennai?'
}

/** Returns the header lines. Continuation lines are joined to the line before them. */
function headersOf(eml: string) {
  return (eml.split(/\r?\n\r?\n/, 1)[0] ?? '').replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
}

async function writeFileMail(sent: Mail) {
  const folder = await temporaryFolder()
  await createFileMail(folder, readSender).send(sent)
  return headersOf(await readFile(join(folder, 'contact-1.eml'), 'utf8'))
}

describe('File mail transport', () => {
  test('writes one .eml file with complete headers, even if a mail is delivered twice', async () => {
    const outbox = join(await temporaryFolder(), 'outbox')
    const gateway = createFileMail(outbox, readSender)
    const files: string[] = []
    for (let n = 0; n < 2; n++) {
      await gateway.send(mail)
      files.push(await readFile(join(outbox, 'contact-1.eml'), 'utf8'))
    }
    expect(await readdir(outbox)).toEqual(['contact-1.eml'])
    const [first = [], second = []] = files.map(headersOf)
    expect(first).toEqual(
      expect.arrayContaining([
        'From: Palagaram <hello@palagaram.example>',
        'To: owner@palagaram.example',
        'Reply-To: Anita Kumar <anita@example.com>',
        'Subject: Message PG-7F3K2M',
        'Auto-Submitted: auto-generated',
        expect.stringMatching(/^Message-ID: <[0-9a-f]{32}@palagaram\.example>$/)
      ])
    )
    expect(second).toContain(first.find(header => header.startsWith('Message-ID')))
  })

  test('writes only inside its folder, and its old codes are deleted', async () => {
    const outbox = await temporaryFolder()
    for (const id of ['code-1', '../../evil/./x'])
      await createFileMail(outbox, readSender).send({ ...mail, id })
    await deleteOldFiles(outbox, { prefix: 'code-', age: MINUTE })
    expect((await readdir(outbox)).sort()).toEqual(['______evil___x.eml', 'code-1.eml'])
    await deleteOldFiles(outbox, { prefix: 'code-', age: -MINUTE })
    expect(await readdir(outbox)).toEqual(['______evil___x.eml'])
  })

  test.for(['\r\nBcc: a@example.com\r\n\r\nBuy', '\u2028Bcc: a@example.com'])(
    'keeps the visitor input %j inside its header',
    async injection => {
      const headers = await writeFileMail({
        ...mail,
        subject: `Message from ${injection}`,
        replyTo: { name: `Anita${injection}`, address: 'anita@example.com' }
      })
      expect(headers.filter(header => /^bcc/i.test(header))).toEqual([])
      expect(headers.filter(header => /^(to|reply-to|subject):/i.test(header))).toHaveLength(3)
    }
  )
})

describe('Mail transport', () => {
  test('says in test mode that no money moves, and nothing of it otherwise', async () => {
    const dataDir = await temporaryFolder()
    const content = { text: 'Hello', html: '<html><body class="a">\n<p>Hello</p></body></html>' }
    const sendWith = async (testMode: boolean) => {
      const settings = { dataDir, readSender, readServer: async () => undefined }
      await createMail({ ...settings, usesTestMode: async () => testMode }).send({
        ...mail,
        ...content
      })
      const eml = await readFile(join(dataDir, 'outbox', 'contact-1.eml'), 'utf8')
      return eml.replace(/=\r?\n/g, '')
    }
    expect((await sendWith(true)).split(MESSAGES.testMode)).toHaveLength(3)
    expect(await sendWith(false)).not.toContain(MESSAGES.testMode)
  })

  test('sends through SMTP_URL, and omits the password in the server name for logs', async () => {
    const server = await startMailServer('accept')
    const url = server.url.replace('//', '//shop:secret@')
    expect(await createSmtpMail({ url }, readSender).send(mail)).toBe(new URL(server.url).host)
    expect(headersOf(server.received[0] ?? '')).toContain(
      'From: Palagaram <hello@palagaram.example>'
    )
  })
})

describe('A test mail', () => {
  const sendTestMail = (shop: Awaited<ReturnType<typeof openSettings>>) =>
    shop.callAsAdmin('POST /admin/settings/mail/test')
  const messageOf = ({ body }: Reply) => (body as { message: string }).message

  test('goes to the administrator’s own address, with the signature, ten times in ten minutes', async () => {
    const shop = await openSettings()
    await shop.save('mail', { signature: 'Meena and team' })
    for (let count = 0; count < 10; count++) await expectOk(sendTestMail(shop))
    await expectOutcome(sendTestMail(shop), '429 TOO_MANY_REQUESTS')
    expect(shop.mails).toHaveLength(10)
    expect(shop.mails[0]).toMatchObject({
      to: ADMIN.email,
      text: expect.stringContaining('Meena and team') as string
    })
  })

  test('shows the answer of the mail server, or that it can’t be reached', async () => {
    const server = await startMailServer('reject')
    const shop = await openSettings('sqlite', {
      mail: createSmtpMail({ url: server.url }, readSender),
      config: { smtpUrl: server.url }
    })
    const isMailMissing = async () =>
      (await shop.callAsAdmin('GET /admin/setup')).text.includes('testMail')
    const refused = await sendTestMail(shop)
    expect([statusAndCode(refused), messageOf(refused), await isMailMissing()]).toEqual([
      '503 MAIL_NOT_SENT',
      'The mail server answered: 451 Try later',
      true
    ])
    server.mode = 'accept'
    expect(messageOf(await sendTestMail(shop))).toContain('127.0.0.1')
    expect([server.received.length, await isMailMissing()]).toEqual([1, false])
    await server.stop()
    expect(messageOf(await sendTestMail(shop))).toMatch(
      /^The mail server could not be reached.*ECONNREFUSED/
    )
  })
})
