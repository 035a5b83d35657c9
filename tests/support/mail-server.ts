import { SMTPServer } from 'smtp-server'

export type Mode = 'accept' | 'reject' | 'silent'

export interface MailServer {
  url: string
  mode: Mode
  received: string[]
  stop(): Promise<void>
}

/** Starts a real SMTP server on 127.0.0.1. Port 0 means any free port. */
export async function startMailServer(mode: Mode, port = 0): Promise<MailServer> {
  const server: MailServer = {
    url: '',
    mode,
    received: [],
    stop: () => new Promise(done => smtp.close(() => done()))
  }
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 50,
    onData(stream, _session, reply) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (server.mode === 'silent') return
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
    smtp.listen(port, '127.0.0.1', resolve)
  })
  const address = smtp.server.address()
  const boundPort = typeof address === 'object' && address !== null ? address.port : port
  server.url = `smtp://127.0.0.1:${boundPort}`
  return server
}
