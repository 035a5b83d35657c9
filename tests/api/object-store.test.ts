import { mkdir, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listFiles } from '#server/platform/storage/files.ts'
import {
  openObjectStore,
  StoreError,
  type ObjectStore
} from '#server/platform/storage/object-store.ts'
import { startS3 } from '../support/object-store.ts'
import { writeSite } from '../support/releases.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CONTENT = Buffer.from('ಬಾಳೆಹಣ್ಣು halwa')
const KEY = 'pictures/a b+c(1)ü-1a2b.avif'

const STORES: Record<string, () => Promise<ObjectStore>> = {
  async folder() {
    return openObjectStore({ type: 'folder', folder: await temporaryFolder() }, () => undefined)
  },
  async bucket() {
    return (await startS3({ keysPerPage: 2 })).objects
  }
}

async function listKeys(objects: ObjectStore, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of objects.list(prefix)) keys.push(key)
  return keys.sort()
}

describe.for(Object.keys(STORES))('An object store in a %s', name => {
  const open = (): Promise<ObjectStore> => STORES[name]?.() ?? Promise.reject(new Error(name))

  test('returns what was written', async () => {
    const objects = await open()
    await objects.create(KEY, CONTENT)
    await objects.put('files/empty', Buffer.alloc(0), {
      'content-type': 'text/html',
      'cache-control': 'no-cache'
    })
    expect(await objects.read(KEY)).toEqual(CONTENT)
    expect(await objects.read('files/empty')).toEqual(Buffer.alloc(0))
  })

  test('has no object that was never written', async () => {
    const objects = await open()
    expect(await objects.read('pictures/none')).toBeUndefined()
    expect(await listKeys(objects, 'pictures/')).toEqual([])
    await objects.delete('pictures/none')
  })

  test.for([
    '../outside',
    'files/../../outside',
    '/outside',
    'files//a',
    'files/.',
    'files\\..\\a',
    'files/a\0',
    ''
  ])('refuses the key %j, which could leave it', async key => {
    const objects = await open()
    await expect(objects.read(key)).rejects.toThrow(StoreError)
    await expect(objects.put(key, CONTENT)).rejects.toThrow(StoreError)
    await expect(objects.create(key, CONTENT)).rejects.toThrow(StoreError)
    await expect(objects.delete(key)).rejects.toThrow(StoreError)
  })

  test('starts no write after its signal has aborted', async () => {
    const objects = await open()
    await objects.put('files/a', CONTENT)
    const signal = AbortSignal.abort(new Error('the lock is lost'))
    await expect(objects.create('files/b', CONTENT, signal)).rejects.toThrow('the lock is lost')
    await expect(objects.put('files/b', CONTENT, {}, signal)).rejects.toThrow('the lock is lost')
    await expect(objects.delete('files/a', signal)).rejects.toThrow('the lock is lost')
    expect(await listKeys(objects, 'files/')).toEqual(['files/a'])
  })

  test('leaves an existing object as it is on create, and replaces it on put', async () => {
    const objects = await open()
    await objects.create('files/a', CONTENT)
    await objects.create('files/a', Buffer.from('other'))
    expect(await objects.read('files/a')).toEqual(CONTENT)
    await objects.put('files/a', Buffer.from('other'))
    expect(await objects.read('files/a')).toEqual(Buffer.from('other'))
  })

  test('forgets a deleted object', async () => {
    const objects = await open()
    await objects.create('files/a', CONTENT)
    await objects.delete('files/a')
    expect(await objects.read('files/a')).toBeUndefined()
  })

  test('lists the keys that begin with a prefix, and when they changed', async () => {
    const objects = await open()
    const keys = ['1', '2', '3', '4', '5'].map(digit => `pictures/laddu-${digit}.avif`)
    for (const key of [...keys, KEY, 'files/1']) await objects.create(key, CONTENT)
    expect(await listKeys(objects, 'pictures/laddu-')).toEqual(keys)
    expect(await listKeys(objects, 'pictures/')).toEqual([KEY, ...keys])
    for await (const { changedAt } of objects.list('files/'))
      expect(Math.abs(Date.now() - changedAt)).toBeLessThan(5000)
  })

  test('keeps one complete content if several processes create an object at once', async () => {
    const objects = await open()
    await Promise.all([1, 2, 3, 4].map(() => objects.create('files/a', CONTENT)))
    expect(await objects.read('files/a')).toEqual(CONTENT)
  })
})

test('A folder loses the old files that crashed writes have left, and nothing else', async () => {
  const folder = await temporaryFolder()
  const objects = await openObjectStore({ type: 'folder', folder }, () => undefined)
  const suffix = '.01234567-89ab-cdef-0123-456789abcdef.tmp'
  await writeSite(folder, {
    'files/a': 'a',
    [`files/a${suffix}`]: '',
    [`files/b${suffix}`]: '',
    'other.tmp': ''
  })
  for (const name of ['files/a', `files/a${suffix}`, 'other.tmp'])
    await utimes(join(folder, name), 0, 0)
  await objects.deleteTemporary()
  expect(await listFiles(folder)).toEqual(['files/a', `files/b${suffix}`, 'other.tmp'])
})

test('A folder that is gone is an error, not an empty store', async () => {
  const folder = join(await temporaryFolder(), 'mnt')
  await mkdir(folder)
  const objects = await openObjectStore({ type: 'folder', folder }, () => undefined)
  await rm(folder, { recursive: true })
  await expect(objects.read('files/a')).rejects.toThrow(StoreError)
  await expect(objects.create('files/a', CONTENT)).rejects.toThrow(/can't be used/)
  await expect(listKeys(objects, 'files/')).rejects.toThrow(StoreError)
})

describe('A bucket', () => {
  test.for(['truncate', 'damage', 'cut', 503, 429] as const)(
    'is asked again after %s',
    async fault => {
      const { objects, fail, requests } = await startS3()
      await objects.create('files/a', CONTENT)
      fail(fault, { times: 2, requests: /^GET/ })
      expect(await objects.read('files/a')).toEqual(CONTENT)
      expect(requests.filter(line => line.startsWith('GET'))).toHaveLength(3)
    }
  )

  test.for(['truncate', 'damage', 'cut', 'hang', 500] as const)(
    'fails after three tries with %s',
    async fault => {
      const { objects, location, fail, requests } = await startS3({
        timeout: fault === 'hang' ? 50 : 5000
      })
      const patient = await openObjectStore(location, () => undefined)
      await patient.create('files/a', CONTENT)
      fail(fault, { requests: /^GET/ })
      await expect(objects.read('files/a')).rejects.toThrow(StoreError)
      expect(requests.filter(line => line.startsWith('GET'))).toHaveLength(3)
    }
  )

  test('gives large uploads and slow downloads more time', async () => {
    const { objects, fail, heal } = await startS3({ timeout: 300 })
    const picture = Buffer.alloc(10_000, 'picture')
    fail({ delay: 450 }, { requests: /^PUT/ })
    await objects.put('pictures/a', picture)
    heal()
    fail('trickle', { requests: /^GET/ })
    expect(await objects.read('pictures/a')).toEqual(picture)
  })

  test.for(['hang', 503] as const)(
    'stops a call when its signal aborts, also between two tries (%s)',
    async fault => {
      const { objects, fail, requests } = await startS3()
      const stopped = new AbortController()
      fail(fault)
      const call = objects.put('files/a', CONTENT, {}, stopped.signal)
      await expect.poll(() => requests.length, { interval: 1 }).toBe(1)
      stopped.abort(new Error('the lock is lost'))
      await expect(call).rejects.toThrow('the lock is lost')
      await expect(objects.delete('files/a', stopped.signal)).rejects.toThrow('the lock is lost')
    }
  )

  test('has an object only once it has confirmed it', async () => {
    const { objects, fail, heal } = await startS3()
    fail('cut', { requests: /^PUT/ })
    await expect(objects.create('files/a', CONTENT)).rejects.toThrow(StoreError)
    heal()
    fail({ delay: 50 }, { times: 1, requests: /^PUT/ })
    await objects.create('files/a', CONTENT)
    expect(await objects.read('files/a')).toEqual(CONTENT)
  })

  test.for([501, 400])(
    'without conditional writes (status %i) is written to without them, and says so once',
    async status => {
      const { objects, fail, warnings, requests } = await startS3()
      fail(status, { times: 1, requests: /^PUT/ })
      await objects.create('files/a', CONTENT)
      await objects.create('files/b', CONTENT)
      expect(requests).toEqual(['PUT test/files/a', 'PUT test/files/a', 'PUT test/files/b'])
      expect(warnings).toEqual([expect.stringContaining('no conditional writes')])
      expect(await objects.read('files/b')).toEqual(CONTENT)
    }
  )

  test('explains a refusal without the keys', async () => {
    const { location, objects } = await startS3()
    const stranger = await openObjectStore(
      { ...location, secretAccessKey: 'hunter2' },
      () => undefined
    )
    await expect(stranger.put('files/a', CONTENT)).rejects.toThrow(
      /^PUT files\/a .* status 403 \(SignatureDoesNotMatch\)$/
    )
    await expect(stranger.put('files/a', CONTENT)).rejects.not.toThrow(/hunter2/)
    const elsewhere = await openObjectStore({ ...location, bucket: 'none' }, () => undefined)
    await expect(elsewhere.read('files/a')).rejects.toThrow(/NoSuchBucket/)
    expect(await objects.read('files/a')).toBeUndefined()
  })
})
