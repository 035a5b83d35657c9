import { describe, expect, test } from 'vitest'
import type { Publishing } from '#lib/contract/publishing.ts'
import { administrator, call, outcome, register } from '../support/accounts.ts'
import { ENGINES, type Engine } from '../support/database.ts'
import { openPublishingShop, type PublishingShop } from '../support/publishing.ts'

interface Bar extends PublishingShop {
  look(): Promise<Publishing>
  /** As the administrator. */
  ask(line: string, body?: unknown): ReturnType<typeof call>
}

async function openBar(engine: Engine = 'sqlite'): Promise<Bar> {
  const opened = await openPublishingShop(engine)
  const { token } = await administrator(opened.shop)
  const ask: Bar['ask'] = (line, body) => call(opened.shop, line, { token, ...(body !== undefined && { body }) })
  return { ...opened, ask, look: async () => (await ask('GET /admin/publishing')).body as Publishing }
}

describe.each(ENGINES)('the bar of publishing on %s', engine => {
  test('tells what is being rendered, and since when what is live', async () => {
    const { press, turn, look } = await openBar(engine)
    await turn()
    const { live, releases } = await look()
    expect(live?.since).toBe('2026-11-21T04:00:00.000Z')
    expect(releases).toEqual([{ id: live?.release, createdAt: live?.since, pages: 3, current: true }])

    press.clock.advance(60_000)
    await press.change('second')
    const seen: Publishing[] = []
    press.midway(async () => void seen.push(await look()))
    await turn()
    expect(seen[0]).toMatchObject({ rendering: { cause: 'change', state: 'rendering' }, live })
    expect(seen[0]).not.toHaveProperty('waiting')
    expect(await look()).toMatchObject({ live: { since: '2026-11-21T04:01:00.000Z' }, held: false })
  })

  test('tells why a publish failed, and tries again at a tap', async () => {
    const { press, turn, look, ask } = await openBar(engine)
    press.before(async () => {
      throw new Error('No space left on the disk')
    })
    await turn()
    expect((await look()).failed).toMatchObject({ problem: 'No space left on the disk' })
    press.before(async () => undefined)
    await turn()
    expect((await look()).live).toBeUndefined()
    press.clock.advance(1000)
    expect((await ask('POST /admin/publishing/retry')).status).toBe(202)
    expect((await look()).waiting).toMatchObject({ cause: 'owner' })
    await turn()
    const now = await look()
    expect(now.live).toBeDefined()
    expect(now).not.toHaveProperty('failed')
  })

  test('returns to an older release, which stays until the next change', async () => {
    const { press, turn, look, ask } = await openBar(engine)
    await turn()
    const first = (await look()).live?.release
    press.clock.advance(2000)
    await press.change('second')
    await turn()
    expect((await look()).live?.release).not.toBe(first)

    press.clock.advance(2000)
    const reply = await ask('POST /admin/publishing/return', { release: first })
    expect(reply.body).toMatchObject({ live: { release: first }, held: true })
    expect(await press.current()).toBe(`releases/${first}`)
    expect((await ask('GET /admin/audit?kind=publish')).body).toMatchObject([
      { what: 'returned to', actor: { name: 'Administrator' }, after: { release: first } }
    ])
    await turn()
    await turn()
    expect((await look()).live?.release).toBe(first)

    press.clock.advance(2000)
    await press.change('third')
    await turn()
    const now = await look()
    expect(now.live?.release).not.toBe(first)
    expect(now.held).toBe(false)
  })
})

test('only administrators see and steer publishing', async () => {
  const { shop } = await openBar()
  const { token } = await register(shop)
  for (const line of ['GET /admin/publishing', 'POST /admin/publishing/retry', 'POST /admin/publishing/return']) {
    expect(outcome(await call(shop, line)), line).toBe('401 UNAUTHORIZED')
    expect(outcome(await call(shop, line, { token })), line).toBe('403 FORBIDDEN')
  }
})

test('a release that is not kept can not be returned to', async () => {
  const { turn, ask } = await openBar()
  await turn()
  expect(outcome(await ask('POST /admin/publishing/return', { release: '../../etc' }))).toBe('404 NOT_FOUND')
})
