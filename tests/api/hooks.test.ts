import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MINUTE, SECOND } from '#lib/time.ts'
import { callDeployHook } from '#server/publishing/publish.ts'
import { addAttempts, expectBody } from '../support/accounts.ts'
import { ENGINES } from '../support/database.ts'
import { openPublishingShop, parsePublish, sign } from '../support/publishing-shop.ts'
import { openTestPublisher } from '../support/test-publisher.ts'
import { createPublisher } from '#server/publishing/republish.ts'
import { openShop } from '../support/shop.ts'

test('POST /hooks/rebuild returns an id for reading the state of the publish, and why it failed', async () => {
  const { publisher, runJob, rebuild, publishState } = await openPublishingShop('sqlite')
  const reply = await rebuild()
  expect(reply.status).toBe(202)
  const { id } = reply.body as { id: string }
  expect(parsePublish(await publishState(id))).toMatchObject({
    id,
    state: 'waiting',
    cause: 'hook'
  })
  const states: string[] = []
  publisher.beforePage(async () => void states.push(parsePublish(await publishState(id)).state))
  await runJob()
  expect(new Set(states)).toEqual(new Set(['rendering']))
  const { state, release, pages } = parsePublish(await publishState(id))
  expect({ state, pages }).toEqual({ state: 'live', pages: 3 })
  expect(await publisher.current()).toBe(`releases/${release}`)
  await publisher.changeContent('second')
  const problem = 'The API has no picture hero-sweets'
  publisher.beforeRender(() => Promise.reject(new Error(problem)))
  const failing = (await rebuild()).body as { id: string }
  await runJob()
  expect(parsePublish(await publishState(failing.id))).toMatchObject({ state: 'failed', problem })
})

test.for(ENGINES)(
  'POST /hooks/rebuild finds the change of another program and runs at most two publishes for a hundred calls on %s',
  async engine => {
    const { publisher, runJob, rebuild, publishState } = await openPublishingShop(engine)
    await runJob()
    let renders = 0
    const ids = new Set<string>()
    const call = async () => void ids.add(((await rebuild()).body as { id: string }).id)
    publisher.changeContentWithoutCounter('second')
    publisher.beforeRender(async () => {
      renders++
      publisher.beforeRender(async () => void renders++)
      await Promise.all(Array.from({ length: 50 }, call))
    })
    await Promise.all(Array.from({ length: 50 }, call))
    for (let n = 0; n < 3; n++) await runJob()
    expect([1, 2]).toContain(renders)
    expect(ids.size).toBe(2)
    for (const id of ids) expect(parsePublish(await publishState(id)).state).toBe('live')
  }
)

describe('Rebuild hook signature', () => {
  test('is required on every call and must match the exact bytes of the body', async () => {
    const { rebuild, publishState } = await openPublishingShop('sqlite')
    const body = '{"a": 1}'
    for (const signature of [
      '',
      'sha256=',
      sign('{"a":1}'),
      sign(body, 'another secret'),
      sign(body).slice(0, -1)
    ]) {
      expect((await rebuild(body, signature)).body, signature).toMatchObject({
        code: 'INVALID_SIGNATURE'
      })
    }
    expect((await rebuild(body)).status).toBe(202)
    expect((await rebuild('', sign(''))).status).toBe(202)
    const { id } = (await rebuild(body)).body as { id: string }
    expect((await publishState(id, sign(body))).status).toBe(401)
    expect((await publishState('nothing')).status).toBe(404)
  })

  test('covers the timestamp, if there is one, which is valid for 5 minutes', async () => {
    const { rebuild, publisher } = await openPublishingShop('sqlite')
    const now = publisher.clock() / SECOND
    const call = async (timestamp: string, signed = `${timestamp}.{}`) =>
      (await rebuild('{}', sign(signed), timestamp)).status
    const times = [0, -299, -301, 301].map(seconds => String(Math.ceil(now) + seconds))
    const statuses: number[] = []
    for (const time of times) statuses.push(await call(time))
    expect(statuses).toEqual([202, 202, 401, 401])
    expect(await call(String(Math.floor(now)), '{}')).toBe(401)
    const movedToBody = `${Math.floor(now)}.{}`
    expect((await rebuild(movedToBody, sign(movedToBody))).status).toBe(401)
    for (const timestamp of ['', 'today', '-1', '1e9'])
      expect(await call(timestamp), timestamp).toBe(401)
  })

  test('does not lift the limit of 600 calls in 10 minutes', async () => {
    const { shop, rebuild, publisher } = await openPublishingShop('sqlite')
    await rebuild()
    await addAttempts(shop, 598)
    expect((await rebuild()).status).toBe(202)
    await expectBody(rebuild(), { code: 'TOO_MANY_REQUESTS' })
    expect((await rebuild('{}', 'sha256=')).status).toBe(401)
    publisher.clock.advance(10 * MINUTE)
    expect((await rebuild()).status).toBe(202)
  })

  test('is checked with a generated secret if no secret is configured', async () => {
    const publisher = await openTestPublisher()
    const shop = await openShop('sqlite', {
      publishing: createPublisher(publisher),
      clock: publisher.clock
    })
    const secret = (await readFile(join(publisher.config.dataDir, 'rebuild.secret'), 'utf8')).trim()
    const reply = await shop.request({
      method: 'POST',
      url: '/api/hooks/rebuild',
      headers: { 'x-shop-signature': sign('', secret) }
    })
    expect(reply.status).toBe(202)
  })
})

/** Starts a server that answers each call with the next of the statuses. */
async function openHook(...statuses: number[]) {
  const methods: (string | undefined)[] = []
  const server = createServer((request, response) => {
    methods.push(request.method)
    response.writeHead(statuses.shift() ?? 503).end()
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

  test('is tried three times, and fails with an error that omits the path of the URL', async () => {
    const callHook = (url: string) => callDeployHook(url, new AbortController().signal, [0, 0])
    const hook = await openHook(503, 502, 200)
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
