import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { canRun } from '../support/proxies.ts'
import { freePort } from '../support/server.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const FORGED = {
  'x-forwarded-for': '203.0.113.9',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https'
}

async function startShop(addRoutes?: (app: Shop['app']) => void) {
  const { app } = await openShop('sqlite', { config: { trustProxy: 1 } })
  app.get('/visit', ({ ip, protocol, host }) => ({ ip, protocol, host }))
  addRoutes?.(app)
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}

const hasNginx = canRun('nginx', '-v')
if (!hasNginx) console.log('nginx is not installed, so the test behind it is skipped')

describe.runIf(hasNginx)('Behind nginx with the settings of deploy/nginx.conf', () => {
  test('the shop knows the visitor, who cannot forge the address', async () => {
    const visit = await visitThrough(await startNginx(await startShop()))
    expect(visit).toEqual({ ip: '127.0.0.2', protocol: 'http', host: 'shop.localhost' })
  })

  test('a reply that the shop breaks off does not look complete', async () => {
    async function* breakOff(): AsyncGenerator<string> {
      yield 'x'.repeat(100_000)
      await sleep(100)
      throw new Error('broken off')
    }
    const shopPort = await startShop(app =>
      app.get('/broken', (_, reply) => reply.send(Readable.from(breakOff())))
    )
    const url = `http://127.0.0.1:${await startNginx(shopPort)}/broken`
    await expect(fetch(url).then(reply => reply.text())).rejects.toThrow(TypeError)
  })
})

/** Runs nginx with the `location` of the example. Returns its port. */
async function startNginx(shopPort: number) {
  const port = await freePort()
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
  const url = `http://127.0.0.1:${port}/api/health`
  while (!(await fetch(url).catch(() => undefined))) await sleep(50)
  return port
}

/** Connects from 127.0.0.2, so that visitor and proxy have different addresses. */
async function visitThrough(port: number): Promise<unknown> {
  const options = {
    host: '127.0.0.1',
    port,
    path: '/visit',
    localAddress: '127.0.0.2',
    headers: { host: `shop.localhost:${port}`, ...FORGED }
  }
  const [reply] = (await once(request(options).end(), 'response')) as [IncomingMessage]
  return JSON.parse((await reply.toArray()).join(''))
}
