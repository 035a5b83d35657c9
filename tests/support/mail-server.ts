import { SMTPServer } from 'smtp-server'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Mode = 'accept' | 'reject'

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** Starts a real SMTP server on 127.0.0.1, which stops after the test. */
export async function startMailServer(mode: Mode) {
  const stop = () => new Promise<void>(done => smtp.close(() => done()))
  const server = { url: '', mode, received: [] as string[], stop }
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 50,
    onData(stream, _session, reply) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (server.mode === 'reject') {
          reply(Object.assign(new Error('Try later'), { responseCode: 451 }))
          return
        }
        server.received.push(Buffer.concat(chunks).toString())
        reply()
      })
    }
  })
  await new Promise<void>((resolve, reject) => {
    smtp.on('error', reject)
    smtp.listen(0, '127.0.0.1', resolve)
  })
  const { port } = smtp.server.address() as AddressInfo
  onTestFinished(stop)
  return Object.assign(server, { url: `smtp://127.0.0.1:${port}` })
}
