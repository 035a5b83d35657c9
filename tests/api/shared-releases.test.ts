import Fastify from 'fastify'
import { linkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DAY } from '#lib/time.ts'
import { rollBack } from '#server/publishing/admin-routes.ts'
import { isDue, isRolledBack } from '#server/publishing/due.ts'
import { listReleases } from '#server/publishing/release-changes.ts'
import { startFollowing } from '#server/publishing/shared-releases.ts'
import { makePage, SMALL_SITE } from '../support/releases.ts'
import {
  failAt,
  fetchPage,
  listFolders,
  openNodes,
  publish,
  publishCode,
  works
} from '../support/nodes.ts'

const ADMINISTRATOR = { _id: 'owner', name: 'Meena' }

describe('Nodes that share an object store', () => {
  test('show a release within two seconds after one of them has published it', async () => {
    const { a, b } = await openNodes()
    if (!b.shared) throw new Error('not shared')
    const loop = startFollowing(b.shared, Fastify().log)
    onTestFinished(() => loop.stop())
    for (const text of ['first', 'second']) {
      const id = await publish(a, text)
      const publishedAt = performance.now()
      while ((await b.releases.current())?.id !== id) await sleep(20)
      expect(performance.now() - publishedAt).toBeLessThan(2000)
      expect((await fetchPage(b, '/about')).body).toBe(makePage(text))
    }
  })

  test('send and fetch only the files that the others do not have', async () => {
    const { a, b, calls } = await openNodes()
    await publish(a, 'first')
    await b.shared?.follow()
    const [first] = await listFolders(b)
    calls.length = 0
    const id = await publish(a, 'second')
    expect(calls.filter(call => call.startsWith('create files/'))).toHaveLength(2)
    calls.length = 0
    await b.shared?.follow()
    expect(calls.filter(call => call.startsWith('read files/'))).toHaveLength(2)
    const files = [
      'index.html.br',
      '_astro/shop.1a2b.js',
      'about.html',
      'about.html.br',
      '_headers',
      'reads.json'
    ]
    for (const file of files)
      expect(await readFile(join(b.store.folder(id), file))).toEqual(
        await readFile(join(a.store.folder(id), file))
      )
    expect(await b.store.manifest(id)).toEqual(await a.store.manifest(id))
    expect((await listFolders(b)).sort()).toEqual([first, id].sort())
  })

  test('take the live release before they publish anything', async () => {
    const { a, b } = await openNodes()
    await publish(a, 'first')
    expect(await b.publish()).toEqual({ state: 'fresh' })
    expect(await b.current()).toBe(await a.current())
    expect(b.builds).toEqual([])
    await b.changeContent('second')
    const outcome = await b.publish()
    expect(outcome).toMatchObject({ state: 'published' })
  })

  test('take a release that goes live while they fetch the one before', async () => {
    const { a, b, calls, onCall } = await openNodes()
    await publish(a, 'first')
    let goOn = (): void => undefined
    const waiting = new Promise<void>(resolve => (goOn = resolve))
    onCall(() => waiting)
    calls.length = 0
    const earlier = b.shared?.follow()
    await expect.poll(() => calls).not.toEqual([])
    onCall(works)
    const second = await publish(a, 'second')
    const later = b.shared?.follow()
    goOn()
    await Promise.all([earlier, later])
    expect(await b.current()).toBe(`releases/${second}`)
  })

  test('both show a release that an administrator returned to, and the same list of releases', async () => {
    const { a, b, add } = await openNodes()
    const first = await publish(a, 'first')
    await publish(a, 'second')
    const c = await add()
    for (const node of [b, c]) await node.shared?.follow()
    await rollBack(c, ADMINISTRATOR, first)
    for (const node of [a, b, c]) {
      await node.shared?.follow()
      expect(await node.current()).toBe(`releases/${first}`)
      expect((await listReleases(node)).map(({ id, current }) => [id === first, current])).toEqual([
        [false, false],
        [true, true]
      ])
    }
  })
})

describe('A node that deletes an old release', () => {
  test('answers requests meanwhile, even if the release has 10,000 files', async () => {
    const { a, b } = await openNodes()
    const oldest = await publish(a, 'oldest')
    await b.shared?.follow()
    const page = join(b.store.folder(oldest), 'about.html')
    for (let copy = 0; copy < 10_000; copy++) linkSync(page, `${page}.${copy}`)
    for (let count = 0; count < 5; count++) {
      await publish(a, `text ${count}`)
      if (count < 4) await b.shared?.follow()
    }
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const start = performance.now()
    await b.shared?.follow()
    const duration = performance.now() - start
    delay.disable()
    expect(await listFolders(b)).not.toContain(oldest)
    expect(delay.max / 1e6).toBeLessThan(duration / 4)
  })

  test('fetches it again if it was killed meanwhile and an administrator returns to it', async () => {
    const { a, b } = await openNodes()
    const ids: string[] = []
    for (let count = 0; count < 6; count++) {
      ids.push(await publish(a, `text ${count}`))
      await b.shared?.follow()
      a.clock.advance(DAY)
    }
    const [oldest = ''] = ids
    expect(await b.store.takeSurplusFolders(a.clock() + 30 * DAY)).toHaveLength(1)
    await rollBack(b, ADMINISTRATOR, oldest)
    expect(await b.current()).toBe(`releases/${oldest}`)
    expect((await fetchPage(b, '/about')).body).toBe(makePage('text 0'))
    const id = await publish(b, 'last')
    expect((await listFolders(b)).sort()).toEqual([...ids, id])
  })
})

describe('A page of another node', () => {
  const script = { ...SMALL_SITE, '_astro/new.3c4d.js': '/* new */' }

  test('gets its scripts from a node that does not have its release yet', async () => {
    const { a, b } = await openNodes()
    await publish(a, 'first')
    await b.shared?.follow()
    await publishCode(a, 'code 2', script)
    expect(await fetchPage(b, '/_astro/new.3c4d.js')).toEqual({ status: 200, body: '/* new */' })
    expect((await b.releases.current())?.code).toBe((await a.releases.current())?.code)
  })

  test('gets scripts of older releases from a node that never had them', async () => {
    const { a, onCall, add } = await openNodes()
    await publishCode(a, 'code 1', script)
    await publishCode(a, 'code 2', SMALL_SITE)
    const c = await add()
    await c.shared?.follow()
    onCall(failAt(/read/))
    expect((await fetchPage(c, '/_astro/new.3c4d.js')).status).toBe(503)
    expect((await fetchPage(c, '/_astro/shop.1a2b.js')).status).toBe(200)
    onCall(works)
    const d = await add()
    await d.shared?.follow()
    expect(await fetchPage(d, '/_astro/new.3c4d.js')).toEqual({ status: 200, body: '/* new */' })
    expect((await fetchPage(d, '/_astro/none.js')).status).toBe(404)
  })
})

describe('Two versions of the code', () => {
  test('publish until the newer one has, and then only the newer one does', async () => {
    const { a: old, add } = await openNodes()
    await publish(old, 'first')
    const newer = await add('newer code')
    expect(await isDue(newer)).toBe(true)
    await publish(old, 'second')
    await publish(newer, 'third')
    await old.changeContent('fourth')
    expect(await isDue(old)).toBe(false)
    expect(await old.publish({ force: true })).toEqual({ state: 'fresh' })
    expect(await isDue(newer)).toBe(true)
    await publish(newer, 'fourth')
    const restarted = await add('newer code', old.config.dataDir)
    await publish(restarted, 'fifth')
    expect(await isDue(newer)).toBe(false)
    await publish(newer, 'sixth')
  })

  test('can be exchanged back by a restart with the older one', async () => {
    const { a: newer, add } = await openNodes()
    await publish(newer, 'first')
    const older = await add('older code')
    await publish(older, 'second')
    expect(await isDue(newer)).toBe(false)
  })

  test('let the newer one replace a release that was brought back, by a publish from the command line', async () => {
    const { a } = await openNodes()
    const first = await publish(a, 'first')
    await publish(a, 'second')
    await rollBack(a, ADMINISTRATOR, first)
    expect(await isRolledBack(a)).toBe(true)
    expect(await a.publish({ force: true })).toMatchObject({ state: 'published' })
    expect(await isRolledBack(a)).toBe(false)
  })

  test('let changes be published after a return to a release of the older one', async () => {
    const { a: old, add } = await openNodes()
    const first = await publish(old, 'first')
    const newer = await add('newer code')
    await publish(newer, 'second')
    const restarted = await add('newer code', newer.config.dataDir)
    await rollBack(restarted, ADMINISTRATOR, first)
    expect(await isDue(restarted)).toBe(false)
    await publish(restarted, 'third')
    expect(await isDue(old)).toBe(false)
  })
})
