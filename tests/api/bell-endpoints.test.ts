import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { BlockList, isIP, type AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPush } from '#server/bell/push.ts'
import { openBellShop, subscribe } from '../support/bell.ts'

describe('A subscription', () => {
  const OTHER_ENDPOINTS = [
    'http://fcm.googleapis.com/fcm/send/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user:pass@fcm.googleapis.com/x',
    'https://fcm.googleapis.com@evil.example/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evilfcm.googleapis.com/x',
    'https://push.services.mozilla.com.evil.example/x',
    'https://evilpush.apple.com/x',
    'https://fcm.googleapis.com./x',
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://shop.example/x',
    'https://fcm.googleapis.com/\n',
    ' https://fcm.googleapis.com/x',
    'https:\\\\fcm.googleapis.com\\x',
    `https://fcm.googleapis.com/${'x'.repeat(1000)}`,
    'fcm',
    ''
  ]
  const ENDPOINTS = [
    'https://fcm.googleapis.com/wp/a:b-c_d',
    'https://updates.push.services.mozilla.com/wpush/v2/gAAA',
    'https://web.push.apple.com/QAb',
    'https://wns2-pn1p.notify.windows.com/w/?token=BQY%3d'
  ]

  test('is accepted only at a known push service', async () => {
    const { shop, owner, device } = await openBellShop()
    for (const endpoint of OTHER_ENDPOINTS)
      expect((await subscribe(shop, owner, { ...device, endpoint })).status, endpoint).toBe(400)
    for (const endpoint of ENDPOINTS)
      expect((await subscribe(shop, owner, { ...device, endpoint })).status, endpoint).toBe(200)
  })

  test('needs a point on the curve and a secret of 16 bytes', async () => {
    const { shop, owner, device } = await openBellShop()
    const { p256dh, auth } = device.keys
    const off = Buffer.from(p256dh, 'base64url').fill(1, 40, 50).toString('base64url')
    for (const keys of [
      ...[off, '', 'B'.repeat(87), p256dh.slice(1)].map(each => ({ p256dh: each, auth })),
      ...['', 'x'.repeat(21), `${auth}xx`].map(each => ({ p256dh, auth: each }))
    ])
      expect((await subscribe(shop, owner, { ...device, keys })).status, keys.p256dh).toBe(400)
    expect((await subscribe(shop, owner, device, ['sneeze'])).status).toBe(400)
  })
})

describe('The way to a push service', () => {
  async function listen(reply: RequestListener) {
    const server = createServer(reply).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return `http://localhost:${(server.address() as AddressInfo).port}/x`
  }
  const post = (url: string, options: Parameters<typeof createPush>[0]) =>
    createPush({ timeout: 200, ...options })(url, {}, Buffer.from('x'))
  const anywhere = { internal: new BlockList() }

  test.for([
    ...['127.0.0.1', '10.1.2.3', '169.254.169.254', '192.168.0.1', '100.64.0.1', '0.0.0.0'],
    ...['::1', 'fd00::1', 'fe80::1', '::ffff:10.0.0.1']
  ])('never leads to %s', async address => {
    const found = ['142.250.1.1', address].map(each => ({ address: each, family: isIP(each) }))
    const sent = post('https://fcm.googleapis.com/x', {
      resolve: (_host, _options, done) => done(null, found)
    })
    await expect(sent).rejects.toThrow('internal address')
  })

  test('does not follow a redirect and does not read the reply', async () => {
    const asked: string[] = []
    const url = await listen((request, reply) => {
      asked.push(request.url ?? '')
      reply.writeHead(307, { location: '/other', 'retry-after': '7' }).write('endless')
    })
    expect(await post(url, anywhere)).toEqual({ status: 307, retryAfter: '7' })
    expect(asked).toEqual(['/x'])
  })

  test('ends after the time limit', async () => {
    const url = await listen(() => undefined)
    await expect(post(url, anywhere)).rejects.toThrow(/timeout/i)
  })
})
