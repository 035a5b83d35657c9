import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP connection that can be cut off. */
export interface Cable {
  url: string
  /** With `silently`, data waits as in a broken network; otherwise connections are refused. */
  cut(silently: boolean): void
  mend(): void
  close(): void
}

export async function openCable(targetUrl: string): Promise<Cable> {
  const target = new URL(targetUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  let isSilent = false
  const server = createServer({ pauseOnConnect: true }, socket => {
    if (isCut && !isSilent) return void socket.destroy()
    const upstream = connect(Number(target.port), target.hostname)
    for (const end of [socket, upstream]) {
      sockets.add(end)
      // The other end is closed, too, when one is.
      end
        .on('error', () => undefined)
        .once('close', () => {
          sockets.delete(end)
          socket.destroy()
          upstream.destroy()
        })
    }
    socket.pipe(upstream)
    upstream.pipe(socket)
    if (isCut) for (const end of [socket, upstream]) end.cork()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(targetUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    cut(silently) {
      isCut = true
      isSilent = silently
      for (const socket of sockets) {
        if (silently) socket.cork()
        else socket.destroy()
      }
    },
    mend() {
      isCut = false
      for (const socket of sockets) socket.uncork()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }
}
