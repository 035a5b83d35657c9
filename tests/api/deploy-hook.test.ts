import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { callDeployHook } from '#server/publishing/publish.ts'
import { call, logInAsAdmin } from '../support/accounts.ts'
import { openPublishingShop } from '../support/publishing-shop.ts'
import { openTestPublisher } from '../support/test-publisher.ts'

const NO_DELAYS = [0, 0]

interface Hook {
  url: string
  methods: (string | undefined)[]
}

/**
 * Starts a server that answers each call with the next of the statuses, and further calls with the
 * last one.
 */
async function openHook(...statuses: (number | 'no answer')[]): Promise<Hook> {
  const methods: Hook['methods'] = []
  const server = createServer((request, response) => {
    methods.push(request.method)
    const status = statuses[Math.min(methods.length, statuses.length) - 1] ?? 200
    if (status !== 'no answer') response.writeHead(status).end()
  })
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/secret`, methods }
}

describe('Deploy hook', () => {
  test('is called after a publish only if the catalogue has changed since the previous release', async () => {
    const hook = await openHook(201)
    const publisher = await openTestPublisher('sqlite', { deployHookUrl: hook.url })
    await publisher.publishRelease()
    await publisher.publishRelease({ force: true })
    expect(hook.methods).toEqual([])
    await publisher.changeContent('second')
    await publisher.publishRelease()
    await expect.poll(() => hook.methods).toEqual(['POST'])
    expect(publisher.warnings).toEqual([])
  })

  test('is called for every signed rebuild call and every request of an administrator', async () => {
    const hook = await openHook(201)
    const settings = { deployHookUrl: hook.url }
    const { publisher, shop, runJob, rebuild } = await openPublishingShop('sqlite', {}, settings)
    await runJob()
    expect(hook.methods).toEqual([])
    await rebuild()
    await runJob()
    await expect
      .poll(() => hook.methods, { message: 'although nothing has changed' })
      .toHaveLength(1)
    const { token } = await logInAsAdmin(shop)
    await call(shop, 'POST /admin/publishing/retry', { token })
    await rebuild()
    await runJob()
    await expect.poll(() => hook.methods, { message: 'once for both' }).toHaveLength(2)
    await publisher.changeContent('second')
    publisher.beforeRender(() => Promise.reject(new Error('The API has no picture hero-sweets')))
    await rebuild()
    await runJob()
    await expect.poll(() => hook.methods, { message: 'although the publish fails' }).toHaveLength(3)
    await runJob()
    expect(hook.methods).toHaveLength(3)
  })

  test('delays no publish while it does not answer', async () => {
    const hook = await openHook('no answer')
    const publisher = await openTestPublisher('sqlite', { deployHookUrl: hook.url })
    await publisher.publishRelease()
    for (const content of ['second', 'third']) {
      await publisher.changeContent(content)
      await publisher.publishRelease()
    }
    await expect.poll(() => hook.methods).toEqual(['POST', 'POST'])
  })

  test('is tried three times, and fails with an error that omits the path of the URL', async () => {
    const callHook = (url: string): Promise<void> =>
      callDeployHook(url, new AbortController().signal, NO_DELAYS)
    const hook = await openHook(503, 502, 200, 503)
    await callHook(hook.url)
    expect(hook.methods).toHaveLength(3)
    await expect(callHook(hook.url)).rejects.toThrow(
      /^The build hook at 127\.0\.0\.1:\d+ responded with status 503$/
    )
    expect(hook.methods).toHaveLength(6)
    await expect(callHook('http://127.0.0.1:1/hook')).rejects.toThrow(
      /build hook at 127\.0\.0\.1:1 could not be reached/
    )
  })
})
