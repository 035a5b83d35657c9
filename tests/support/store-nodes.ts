import { SECOND } from '#lib/time.ts'
import { startS3, type TestS3 } from './object-store.ts'
import { makePage, makeProductPage, SMALL_SITE, type SiteFiles } from './releases.ts'
import { openTestPublisher, type TestPublisher } from './test-publisher.ts'

export const SITE = { ...SMALL_SITE, ...makeProductPage('mysore-pak') }

export interface Nodes {
  a: TestPublisher
  b: TestPublisher
  s3: TestS3
  add(version?: string): Promise<TestPublisher>
  text(key: string): Promise<string | undefined>
  /** Requests since the last call that changed objects, without those for the list of files. */
  changes(): string[]
}

/** Two nodes on one database and one bucket. */
export async function openNodes(timeout = 5 * SECOND): Promise<Nodes> {
  const s3 = await startS3({ timeout })
  const { objects } = s3
  const a = await openTestPublisher('sqlite', {}, { objects })
  const add = (version = 'this code'): Promise<TestPublisher> =>
    openTestPublisher('sqlite', {}, { objects, others: a, version })
  return {
    a,
    b: await add(),
    s3,
    add,
    text: async key => (await objects.get(key))?.toString(),
    changes: () =>
      s3.requests
        .splice(0)
        .filter(line => !line.startsWith('GET') && !line.includes('_site.json'))
        .map(line => line.replace(' test/', ' '))
  }
}

export async function publish(
  node: TestPublisher,
  text: string,
  files: SiteFiles = SITE
): Promise<string> {
  node.clock.advance(2 * SECOND)
  node.setFiles({ ...files, 'about.html': makePage(text) })
  await node.changeContent(text)
  return node.publishRelease()
}
