import {
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type ServerResponse
} from 'node:http'
import { createRequire } from 'node:module'
import { utimes } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { SECOND } from '#lib/time.ts'
import { listFiles } from '#server/platform/storage/files.ts'
import { createS3Store, type S3Location } from '#server/platform/storage/open-store.ts'
import { temporaryFolder } from './temporary-folder.ts'

interface S3Server {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}

const require = createRequire(import.meta.url)
const S3rver: new (options: object) => S3Server = require('@20minutes/s3rver')

// The server makes its continuation tokens with DES, which OpenSSL 3 only has as the triple DES of
// three equal keys.
type CreateCipher = (cipher: string, key: Buffer, iv: Buffer, ...options: unknown[]) => unknown
const crypto: Record<'createCipheriv' | 'createDecipheriv', CreateCipher> = require('node:crypto')
for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
  const create = crypto[name]
  crypto[name] = (cipher, key, iv, ...options) =>
    cipher === 'des'
      ? create('des-ede3-cbc', Buffer.concat([key, key, key]), iv)
      : create(cipher, key, iv, ...options)
}

/** A status is answered instead of the store. */
type Fault = number | 'cut' | 'hang'

/** Starts a real S3 server, behind a proxy that can spoil requests. */
export async function startS3(options: { keysPerPage?: number; timeout?: number } = {}) {
  const bucket = 'shop'
  const directory = await temporaryFolder()
  const s3 = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }]
  })
  const { port: s3Port } = await s3.run()
  const requests: string[] = []
  let faults: { fault: Fault; left: number; requests: RegExp }[] = []

  async function handle(incoming: IncomingMessage, reply: ServerResponse) {
    const { method = '', url = '', headers } = incoming
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    const key = decodeURIComponent(pathname).slice(`/${bucket}/`.length)
    const line = `${method} ${key || `list ${searchParams.get('prefix')}`}`
    requests.push(line)
    const found = faults.find(({ left, requests: matching }) => left > 0 && matching.test(line))
    if (found) found.left--
    const fault = found?.fault
    if (fault === 'hang') return
    if (fault === 'cut') return void incoming.socket.destroy()
    if (typeof fault === 'number') {
      incoming
        .resume()
        .on('end', () => reply.writeHead(fault).end(`<Error><Code>Test${fault}</Code></Error>`))
      return
    }
    const outgoing = sendRequest(
      { port: s3Port, host: '127.0.0.1', method, path: url, headers },
      upstream => {
        const chunks: Buffer[] = []
        upstream.on('data', (chunk: Buffer) => chunks.push(chunk))
        upstream.on('end', () => {
          reply.writeHead(upstream.statusCode ?? 502, upstream.headers)
          reply.end(Buffer.concat(chunks))
        })
      }
    )
    outgoing.on('error', () => reply.destroy())
    incoming.pipe(outgoing)
  }

  const proxy = createServer((incoming, reply) => void handle(incoming, reply))
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    proxy.closeAllConnections()
    proxy.close()
    await s3.close()
  })
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const location: S3Location = {
    ...{ type: 's3', bucket, prefix: 'test/', endpoint, region: 'us-east-1' },
    ...{ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  }
  return {
    location,
    objects: createS3Store(location, { timeout: 5 * SECOND, backoff: [1, 2], ...options }),
    /** All requests so far, such as `GET pictures/a.avif`. */
    requests,
    /** Spoils the next requests whose line, such as `PUT files/a`, matches. */
    fail(fault: Fault, options: { times?: number; requests?: RegExp } = {}) {
      const { times: left = Infinity, requests: matching = /^/ } = options
      faults.push({ fault, left, requests: matching })
    },
    heal() {
      faults = []
    },
    /** Changes the time of all objects to `ms` ago. */
    async age(ms: number) {
      const time = (Date.now() - ms) / SECOND
      for (const file of await listFiles(directory)) await utimes(join(directory, file), time, time)
    }
  }
}
