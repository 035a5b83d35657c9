import Fastify from 'fastify'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import {
  openObjectStore,
  StoreError,
  type ObjectStore
} from '#server/platform/storage/object-store.ts'
import { publishSite } from '#server/publishing/publish.ts'
import { staticSite } from '#server/publishing/static-site.ts'
import { makePage, SMALL_SITE, type SiteFiles } from './releases.ts'
import { openTestPublisher, type TestPublisher } from './test-publisher.ts'
import { temporaryFolder } from './temporary-folder.ts'

export type BeforeCall = (call: string) => Promise<void>

export interface Nodes {
  a: TestPublisher
  b: TestPublisher
  /** Folder of the object store. */
  folder: string
  /** Calls of the store so far, such as `create files/1a2b.br`. */
  calls: string[]
  onCall(run: BeforeCall): void
  add(version?: string, dataDir?: string): Promise<TestPublisher>
}

export async function openNodes(): Promise<Nodes> {
  const folder = await temporaryFolder()
  const calls: string[] = []
  let beforeCall: BeforeCall = async () => undefined
  const real = await openObjectStore({ type: 'folder', folder }, () => undefined)
  const start = (call: string): Promise<void> => {
    calls.push(call)
    return beforeCall(call)
  }
  const objects: ObjectStore = {
    ...real,
    async read(key) {
      await start(`read ${key}`)
      return real.read(key)
    },
    async create(key, content, signal) {
      await start(`create ${key}`)
      return real.create(key, content, signal)
    }
  }
  const a = await openTestPublisher('sqlite', {}, { objects })
  const add = (version = 'this code', dataDir?: string): Promise<TestPublisher> =>
    openTestPublisher(
      'sqlite',
      {},
      { objects, others: a, version, ...(dataDir !== undefined && { dataDir }) }
    )
  return { a, b: await add(), folder, calls, onCall: run => void (beforeCall = run), add }
}

export const works: BeforeCall = async () => undefined

export function failAt(calls: RegExp): BeforeCall {
  return async call => {
    if (calls.test(call)) throw new StoreError('connection refused')
  }
}

export async function publish(node: TestPublisher, text: string): Promise<string> {
  node.clock.advance(2000)
  node.setFiles({ ...SMALL_SITE, 'about.html': makePage(text) })
  await node.changeContent(text)
  return node.publishRelease()
}

export async function publishCode(
  node: TestPublisher,
  version: string,
  files: SiteFiles
): Promise<void> {
  node.clock.advance(2000)
  node.setFiles(files)
  const deps = { ...node, version: async () => version }
  const outcome = await publishSite(deps, {
    signal: new AbortController().signal,
    warn: () => undefined
  })
  expect(outcome.state).toBe('published')
}

export async function fetchPage(
  node: TestPublisher,
  url: string
): Promise<{ status: number; body: string }> {
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(staticSite, node)
  const { statusCode, body } = await app.inject(url)
  return { status: statusCode, body }
}

export async function listFolders({ config }: TestPublisher): Promise<string[]> {
  return readdir(join(config.dataDir, 'releases'))
}
