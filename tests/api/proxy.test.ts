import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { HOUR } from '#lib/time.ts'
import type { Config } from '#server/config.ts'
import { sessionOf, wrongCode } from '../support/accounts.ts'
import { ADDRESS, CUSTOMER, openCheckoutShop } from '../support/checkout.ts'
import { canRun, hasCaddy, startCaddy } from '../support/proxies.ts'
import { freePort } from '../support/server.ts'
import { openShop, type Reply, type Shop } from '../support/shop.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROXY = '10.0.0.7'
const VISITOR = '203.0.113.9'

interface Visit {
  ip: string
  protocol: string
  host: string
}

async function openShopBehind(trustProxy: Config['trustProxy']): Promise<Shop> {
  const shop = await openShop('sqlite', { config: { trustProxy } })
  shop.app.get('/visit', ({ ip, protocol, host }): Visit => ({ ip, protocol, host }))
  return shop
}

describe('Headers of a proxy', () => {
  const headers = {
    host: '127.0.0.1:4321',
    'x-forwarded-for': `198.51.100.1, ${VISITOR}`,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'shop.example'
  }
  const asTold = { ip: VISITOR, protocol: 'https', host: 'shop.example' }
  const asConnected = { ip: PROXY, protocol: 'http', host: '127.0.0.1:4321' }

  test.for([
    ['one proxy', 1, asTold],
    ['the address of the proxy', [PROXY], asTold],
    ['the network of the proxy', ['10.0.0.0/8'], asTold],
    ['another address', ['10.0.0.8'], asConnected],
    ['nothing', false, asConnected]
  ] as const)(
    'give address, protocol and host of the visitor only if trusted: %s',
    async ([, trustProxy, visit]) => {
      const shop = await openShopBehind(
        typeof trustProxy === 'object' ? [...trustProxy] : trustProxy
      )
      const { body } = await shop.request({ url: '/visit', remoteAddress: PROXY, headers })
      expect(body).toEqual(visit)
    }
  )
})

test.for([
  [1, VISITOR, `198.51.100.1, ${VISITOR}:5678`],
  [2, VISITOR, `${VISITOR}:5678, 10.0.0.8:443`],
  [[PROXY, '10.0.0.8'], VISITOR, `${VISITOR}:5678, 10.0.0.8:443`],
  [['10.0.0.0/8'], VISITOR, `::ffff:${VISITOR}, ::ffff:10.0.0.8`],
  [[PROXY, '2001:DB8:0::/48'], '2001:db8:7::1', '[2001:DB8:7::1]:443, [2001:db8:0:0::9]:443']
] as const)(
  'X-Forwarded-For may have ports and other spellings: %o, %s',
  async ([trustProxy, ip, forwarded]) => {
    const shop = await openShopBehind(typeof trustProxy === 'number' ? trustProxy : [...trustProxy])
    const headers = { 'x-forwarded-for': forwarded }
    const { body } = await shop.request({ url: '/visit', remoteAddress: PROXY, headers })
    expect(body).toMatchObject({ ip })
  }
)

test('300 shoppers of one mobile carrier can mistype, log in, draw, open a checkout and return within a minute', async () => {
  const shop = await openCheckoutShop('sqlite', {
    config: { trustProxy: 1 },
    products: { laddu: { price: 100, stock: 1000 } },
    deals: { now: { product: 'laddu', to: HOUR } }
  })
  await buyAsVisitor(shop, 'first@example.com')
  // The counts are the only memory of the limits.
  const { numUpdatedRows } = await shop.write(trx =>
    trx
      .updateTable('rate_counts')
      .set(row => ({ count: row('count', '*', 299) }))
      .where('key', 'like', `% of ${VISITOR}`)
      .executeTakeFirstOrThrow()
  )
  expect(Number(numUpdatedRows)).toBeGreaterThan(5)
  await buyAsVisitor(shop, 'last@example.com')
})

/** Fails if a call has another status than expected. */
async function buyAsVisitor(shop: Shop, email: string): Promise<void> {
  async function send(
    line: string,
    status: number,
    body?: object | string,
    token = ''
  ): Promise<Reply> {
    const [method, path] = line.split(' ')
    const type = typeof body === 'string' ? 'application/x-www-form-urlencoded' : 'application/json'
    const reply = await shop.request({
      method: method as 'POST',
      url: `/api${path}`,
      remoteAddress: PROXY,
      headers: {
        'x-forwarded-for': VISITOR,
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': type })
      },
      ...(body !== undefined && { payload: body })
    })
    expect([line, reply.status, reply.text]).toEqual([line, status, expect.any(String)])
    return reply
  }

  await send('POST /auth/register', 200, { email, password: 'kesari-47', displayName: 'Anita' })
  await send('POST /auth/login', 400, { email, password: 'kesari-74' })
  await send('POST /auth/login', 200, { email, password: 'kesari-47' })
  await send('POST /auth/send-otp', 200, { email })
  await shop.deliverMails()
  const otp = shop.mails.find(({ to }) => to === email)?.subject.slice(0, 6) ?? ''
  await send('POST /auth/verify-otp', 400, { email, otp: wrongCode(otp) })
  const { token } = sessionOf(await send('POST /auth/verify-otp', 200, { email, otp }))
  await send('POST /flash-deals/generate/laddu', 200, undefined, token)
  const items = [{ product: 'laddu', quantity: 1 }]
  const checkout = {
    amount: 100,
    items,
    customerDetails: CUSTOMER,
    shippingAddress: ADDRESS,
    checkoutKey: randomUUID()
  }
  const { body } = await send('POST /payments/razorpay-order', 200, checkout, token)
  const { id } = body as { id?: string }
  const form = new URLSearchParams({
    'error[metadata]': JSON.stringify({ order_id: id })
  }).toString()
  await send('POST /payments/razorpay-callback', 303, form)
}

test.runIf(hasCaddy)(
  'Behind Caddy, the shop knows the visitor, who cannot forge the address',
  async () => {
    const shop = await openShopBehind(1)
    await shop.app.listen({ host: '127.0.0.1', port: 0 })
    const port = await freePort()
    const { port: shopPort } = shop.app.server.address() as AddressInfo
    onTestFinished(
      await startCaddy(
        `shop.localhost:${port} {\n tls internal\n reverse_proxy 127.0.0.1:${shopPort}\n}\n`
      )
    )
    const visit = await visitThrough(port, {
      'x-forwarded-for': VISITOR,
      'x-forwarded-host': 'evil.example'
    })
    expect(visit).toEqual({ ip: '127.0.0.2', protocol: 'https', host: `shop.localhost:${port}` })
  }
)

const hasNginx = canRun('nginx', '-v')
if (!hasNginx) console.log('nginx is not installed, so the test behind it is skipped')

describe.runIf(hasNginx)('Behind nginx with the settings of deploy/nginx.conf', () => {
  async function openShopBehindNginx(
    addRoutes: (app: Shop['app']) => void = () => undefined
  ): Promise<number> {
    const shop = await openShopBehind(1)
    addRoutes(shop.app)
    await shop.app.listen({ host: '127.0.0.1', port: 0 })
    const port = await freePort()
    await startNginx(port, (shop.app.server.address() as AddressInfo).port)
    return port
  }

  test('the shop knows the visitor, who cannot forge the address', async () => {
    const port = await openShopBehindNginx()
    const forged = {
      'x-forwarded-for': VISITOR,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https'
    }
    const visit = await visitThrough(port, forged, requestHttp)
    expect(visit).toEqual({ ip: '127.0.0.2', protocol: 'http', host: 'shop.localhost' })
  })

  test('a picture of 10 MB arrives at the shop', async () => {
    const port = await openShopBehindNginx(app =>
      app.post('/size', { bodyLimit: 12_000_000 }, ({ body }) => ({ size: String(body).length }))
    )
    const picture = 'x'.repeat(10 * 1024 * 1024)
    const headers = { 'content-type': 'application/json' }
    const reply = await fetch(`http://127.0.0.1:${port}/size`, {
      method: 'POST',
      body: JSON.stringify(picture),
      headers
    })
    expect(await reply.json()).toEqual({ size: picture.length })
  })

  test('a reply that the shop breaks off does not look complete', async () => {
    async function* breakOff(): AsyncGenerator<string> {
      yield 'x'.repeat(100_000)
      await sleep(100)
      throw new Error('broken off')
    }
    const port = await openShopBehindNginx(app =>
      app.get('/broken', (_, reply) => reply.send(Readable.from(breakOff())))
    )
    await expect(
      fetch(`http://127.0.0.1:${port}/broken`).then(reply => reply.text())
    ).rejects.toThrow(TypeError)
  })
})

/** Runs nginx with the `location` of the example. */
async function startNginx(port: number, shopPort: number): Promise<void> {
  const folder = await temporaryFolder()
  const example = await readFile('deploy/nginx.conf', 'utf8')
  const location = /location .*?\n {2}\}/s.exec(example)?.[0] ?? ''
  await writeFile(
    join(folder, 'nginx.conf'),
    `user root;
daemon off;
pid nginx.pid;
events {}
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  scgi_temp_path scgi;
  uwsgi_temp_path uwsgi;
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 12m;
    ${location.replace('http://shop', `http://127.0.0.1:${shopPort}`)}
  }
}
`
  )
  const nginx = spawn('nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], {
    stdio: 'ignore'
  })
  onTestFinished(async () => {
    const exit = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await exit
  })
  const answers = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      () => true,
      () => false
    )
  while (!(await answers())) await sleep(50)
}

/** Connects from 127.0.0.2, so that visitor and proxy have different addresses. */
async function visitThrough(
  port: number,
  headers: Record<string, string>,
  request: typeof requestHttp | typeof requestHttps = requestHttps
): Promise<Visit> {
  for (;;) {
    const visit = await new Promise<Visit | undefined>(resolve => {
      const options = {
        host: '127.0.0.1',
        port,
        path: '/visit',
        localAddress: '127.0.0.2',
        servername: 'shop.localhost',
        rejectUnauthorized: false,
        headers: { host: `shop.localhost:${port}`, ...headers }
      }
      request(options, reply => {
        let text = ''
        reply.on('data', (part: Buffer) => (text += part.toString()))
        reply.on('end', () =>
          resolve(reply.statusCode === 200 ? (JSON.parse(text) as Visit) : undefined)
        )
      })
        .on('error', () => resolve(undefined))
        .end()
    })
    if (visit) return visit
    await sleep(100)
  }
}
