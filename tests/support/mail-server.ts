import { SMTPServer } from 'smtp-server'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

type Mode = 'accept' | 'reject'

export interface MailServer {
  url: string
  mode: Mode
  received: string[]
  stop(): Promise<void>
}

/** Starts a real SMTP server on 127.0.0.1, which stops after the test. */
export async function startMailServer(mode: Mode): Promise<MailServer> {
  const received: string[] = []
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
        received.push(Buffer.concat(chunks).toString())
        reply()
      })
    }
  })
  await new Promise<void>((resolve, reject) => {
    smtp.on('error', reject)
    smtp.listen(0, '127.0.0.1', resolve)
  })
  const { port } = smtp.server.address() as AddressInfo
  const stop = (): Promise<void> => new Promise(done => smtp.close(() => done()))
  onTestFinished(stop)
  const server: MailServer = { url: `smtp://127.0.0.1:${port}`, mode, received, stop }
  return server
}
