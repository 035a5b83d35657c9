import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BODY_TIMEOUT, SECOND, UPLOAD_BODY_TIMEOUT } from '#lib/time.ts'
import { logInAsAdmin, register } from '../support/accounts.ts'
import { openShop } from '../support/shop.ts'
import { makeUpload } from '../support/upload.ts'

// Only these two functions are faked. Sockets use internal timers of Node.js and work as usual.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

interface Connection {
  socket: Socket
  /**
   * Returns the response received until the connection closes or until the response matches
   * `until`.
   */
  waitForResponse(until?: RegExp): Promise<string>
  isClosed(): boolean
}

/** Opens a connection to a new shop and sends the request head without the body. */
async function openSlowRequest(
  path: string,
  role: 'admin' | 'shopper' | undefined,
  type: string,
  length: number
): Promise<Connection> {
  const shop = await openShop('sqlite')
  const session =
    role === 'admin'
      ? await logInAsAdmin(shop)
      : role === 'shopper'
        ? await register(shop)
        : undefined
  const received = new Promise(resolve => shop.app.server.once('request', resolve))
  await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((shop.app.server.address() as AddressInfo).port, '127.0.0.1')
  let response = ''
  let closed = false
  socket.setEncoding('utf8').on('data', (text: string) => (response += text))
  socket.on('error', () => undefined).on('close', () => (closed = true))
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    ...(session ? [`Authorization: Bearer ${session.token}`] : [])
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  await received
  // Wait until the shop has looked up the session, which happens before it reads the body.
  await shop.app.whenIdle()
  return {
    socket,
    isClosed: () => closed,
    async waitForResponse(until) {
      while (!closed && !until?.test(response))
        await Promise.race([once(socket, 'data'), once(socket, 'close')])
      return response
    }
  }
}

describe('Slow upload', () => {
  test('of a picture succeeds if it takes less than five minutes', async () => {
    const photo = makeUpload(
      await sharp({ create: { width: 30, height: 20, channels: 3, background: '#c08a3e' } })
        .jpeg()
        .toBuffer()
    )
    const type = String(photo.headers['content-type'])
    const connection = await openSlowRequest(
      '/api/admin/pictures',
      'admin',
      type,
      photo.payload.length
    )
    connection.socket.write(photo.payload.subarray(0, 60))
    await new Promise(setImmediate)
    vi.advanceTimersByTime(UPLOAD_BODY_TIMEOUT - SECOND)
    connection.socket.write(photo.payload.subarray(60))
    expect(await connection.waitForResponse(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 201 /)
    connection.socket.destroy()
  })

  test('of a picture is aborted if it takes longer than five minutes', async () => {
    const connection = await openSlowRequest(
      '/api/admin/pictures',
      'admin',
      'multipart/form-data; boundary=x',
      1000
    )
    await vi.advanceTimersByTimeAsync(UPLOAD_BODY_TIMEOUT)
    expect(await connection.waitForResponse()).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('of a picture is aborted after half a minute if the user is not an administrator', async () => {
    for (const role of [undefined, 'shopper'] as const) {
      const connection = await openSlowRequest(
        '/api/admin/pictures',
        role,
        'multipart/form-data; boundary=x',
        1000
      )
      expect(await connection.waitForResponse(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 40[13] /)
      vi.advanceTimersByTime(BODY_TIMEOUT)
      await connection.waitForResponse()
      expect(connection.isClosed()).toBe(true)
    }
  })

  test('of JSON is aborted after half a minute', async () => {
    const connection = await openSlowRequest('/api/contact', undefined, 'application/json', 1000)
    connection.socket.write('{"name":')
    vi.advanceTimersByTime(BODY_TIMEOUT - SECOND)
    expect(connection.isClosed()).toBe(false)
    vi.advanceTimersByTime(SECOND)
    expect(await connection.waitForResponse()).toMatch(/^HTTP\/1\.1 408 /)
  })
})
