import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MESSAGES } from '#lib/messages.ts'
import { MINUTE } from '#lib/time.ts'
import { readConfig } from '#server/config.ts'
import {
  createMail,
  createFileMail,
  createSmtpMail,
  type Mail
} from '#server/platform/mail/mail.ts'
import { deleteOldFiles } from '#server/platform/storage/files.ts'
import { startMailServer } from '../support/mail-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const readSender = async (): Promise<string> => '"Palagaram" <hello@palagaram.example>'
const mail: Mail = {
  id: 'contact-1',
  to: 'owner@palagaram.example',
  replyTo: { name: 'Anita Kumar', address: 'anita@example.com' },
  subject: 'Message PG-7F3K2M',
  text: 'வணக்கம், do you send to Chennai?'
}

/** Returns the header lines. Continuation lines are joined to the line before them. */
function headersOf(eml: string): string[] {
  return (eml.split(/\r?\n\r?\n/, 1)[0] ?? '').replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
}

describe('File mail transport', () => {
  test('writes .eml files with complete headers', async () => {
    const outbox = join(await temporaryFolder(), 'outbox')
    await createFileMail(outbox, readSender).send(mail)
    expect(await readdir(outbox)).toEqual(['contact-1.eml'])
    expect(headersOf(await readFile(join(outbox, 'contact-1.eml'), 'utf8'))).toEqual(
      expect.arrayContaining([
        'From: Palagaram <hello@palagaram.example>',
        'To: owner@palagaram.example',
        'Reply-To: Anita Kumar <anita@example.com>',
        'Subject: Message PG-7F3K2M',
        'Auto-Submitted: auto-generated',
        expect.stringMatching(/^Message-ID: <[0-9a-f]{32}@palagaram\.example>$/)
      ])
    )
  })

  test('writes only one file if a mail is delivered twice', async () => {
    const outbox = await temporaryFolder()
    const gateway = createFileMail(outbox, readSender)
    await gateway.send(mail)
    const first = headersOf(await readFile(join(outbox, 'contact-1.eml'), 'utf8'))
    await gateway.send(mail)
    expect(await readdir(outbox)).toEqual(['contact-1.eml'])
    const messageIdOf = (headers: string[]): unknown =>
      headers.find(header => header.startsWith('Message-ID'))
    expect(messageIdOf(headersOf(await readFile(join(outbox, 'contact-1.eml'), 'utf8')))).toBe(
      messageIdOf(first)
    )
  })

  test('writes only inside its folder, even if the mail id contains a path', async () => {
    const outbox = await temporaryFolder()
    await createFileMail(outbox, readSender).send({ ...mail, id: '../../evil/./x' })
    expect(await readdir(outbox)).toEqual(['______evil___x.eml'])
  })
})

describe('Mail header', () => {
  test.for([
    '\r\nBcc: everybody@example.com\r\n\r\nBuy',
    '\nBcc: everybody@example.com',
    '\u2028Bcc: everybody@example.com'
  ])('cannot be injected with the visitor input %j', async injection => {
    const outbox = await temporaryFolder()
    await createFileMail(outbox, readSender).send({
      ...mail,
      subject: `Message from ${injection}`,
      replyTo: { name: `Anita${injection}`, address: 'anita@example.com' }
    })
    const eml = await readFile(join(outbox, 'contact-1.eml'), 'utf8')
    expect(headersOf(eml).filter(header => /^bcc/i.test(header))).toEqual([])
    expect(headersOf(eml).filter(header => /^(to|reply-to|subject):/i.test(header))).toHaveLength(3)
  })
})

test('Old mail files with codes are deleted, and no others', async () => {
  const dataDir = await temporaryFolder()
  const gateway = createFileMail(join(dataDir, 'outbox'), readSender)
  for (const id of ['code-1', 'contact-1']) await gateway.send({ ...mail, id })
  const outbox = join(dataDir, 'outbox')
  await deleteOldFiles(outbox, { prefix: 'code-', age: MINUTE })
  expect(await readdir(join(dataDir, 'outbox'))).toHaveLength(2)
  await deleteOldFiles(outbox, { prefix: 'code-', age: -MINUTE })
  expect(await readdir(join(dataDir, 'outbox'))).toEqual(['contact-1.eml'])
})

describe('Mail transport', () => {
  test('says in test mode that no money moves, and nothing of it otherwise', async () => {
    const dataDir = await temporaryFolder()
    const content = { text: 'Hello', html: '<html><body class="a">\n<p>Hello</p></body></html>' }
    const sendWith = async (testMode: boolean): Promise<string> => {
      await createMail({ ...readConfig({ DATA_DIR: dataDir }), testMode }, readSender).send({
        ...mail,
        ...content
      })
      return readFile(join(dataDir, 'outbox', 'contact-1.eml'), 'utf8')
    }
    expect((await sendWith(true)).split(MESSAGES.testMode)).toHaveLength(3)
    expect(await sendWith(false)).not.toContain(MESSAGES.testMode)
  })

  test('sends through SMTP_URL, and omits the password in the server name for logs', async () => {
    const server = await startMailServer('accept')
    onTestFinished(() => server.stop())
    const env = { SMTP_URL: server.url }
    const gateway = createMail(readConfig(env), readSender)
    await gateway.send(mail)
    expect(headersOf(server.received[0] ?? '')).toContain(
      'From: Palagaram <hello@palagaram.example>'
    )
    expect(createSmtpMail('smtp://shop:secret@mail.example:587', readSender).destination).toBe(
      'mail.example:587'
    )
  })
})
