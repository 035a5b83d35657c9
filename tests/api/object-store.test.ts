import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { StoreError, type ObjectStore } from '#server/platform/storage/object-store.ts'
import { openObjectStore } from '#server/platform/storage/open-store.ts'
import { startS3 } from '../support/object-store.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const CONTENT = Buffer.from('ಬಾಳೆಹಣ್ಣು halwa')
const KEY = 'pictures/a b+c(1)ü-1a2b.avif'

const STORES: Record<string, () => Promise<ObjectStore>> = {
  async folder() {
    return openObjectStore({ type: 'folder', folder: await temporaryFolder() })
  },
  async bucket() {
    return (await startS3({ keysPerPage: 2 })).objects
  }
}

async function listKeys(objects: ObjectStore, prefix: string) {
  const keys: string[] = []
  for await (const { key } of objects.list(prefix)) keys.push(key)
  return keys.sort()
}

describe.for(Object.keys(STORES))('An object store in a %s', name => {
  const open = () => STORES[name]?.() ?? Promise.reject(new Error(name))

  test('returns what was written last, until it is deleted', async () => {
    const objects = await open()
    expect(await objects.get(KEY)).toBeUndefined()
    expect(await listKeys(objects, 'pictures/')).toEqual([])
    await objects.delete(KEY)
    await objects.put(KEY, Buffer.from('other'))
    await objects.put(KEY, CONTENT)
    expect(await objects.get(KEY)).toEqual(CONTENT)
    await objects.delete(KEY)
    expect(await objects.get(KEY)).toBeUndefined()
    await objects.put('files/empty', Buffer.alloc(0), { 'content-type': 'text/html' })
    expect(await objects.get('files/empty')).toEqual(Buffer.alloc(0))
  })

  test('refuses keys that could leave it', async () => {
    const objects = await open()
    for (const key of ['../outside', 'files/../../outside', '/outside', 'files\\..\\a', '']) {
      await expect(objects.get(key), key).rejects.toThrow(StoreError)
      await expect(objects.put(key, CONTENT), key).rejects.toThrow(StoreError)
      await expect(objects.delete(key), key).rejects.toThrow(StoreError)
    }
  })

  test('starts no write after its signal has aborted', async () => {
    const objects = await open()
    await objects.put('files/a', CONTENT)
    const signal = AbortSignal.abort(new Error('the lock is lost'))
    await expect(objects.put('files/b', CONTENT, {}, signal)).rejects.toThrow('the lock is lost')
    await expect(objects.delete('files/a', signal)).rejects.toThrow('the lock is lost')
    expect(await listKeys(objects, 'files/')).toEqual(['files/a'])
  })

  test('lists the keys that begin with a prefix, and when they changed', async () => {
    const objects = await open()
    const keys = ['1', '2', '3', '4', '5'].map(digit => `pictures/laddu-${digit}.avif`)
    for (const key of [...keys, KEY, 'files/1']) await objects.put(key, CONTENT)
    expect(await listKeys(objects, 'pictures/laddu-')).toEqual(keys)
    expect(await listKeys(objects, 'pictures/')).toEqual([KEY, ...keys])
    for await (const { changedAt } of objects.list('files/'))
      expect(Math.abs(Date.now() - changedAt)).toBeLessThan(5000)
  })
})

test('A folder that is gone is an error, not an empty store', async () => {
  const folder = join(await temporaryFolder(), 'mnt')
  await mkdir(folder)
  const objects = openObjectStore({ type: 'folder', folder })
  await rm(folder, { recursive: true })
  await expect(objects.get('files/a')).rejects.toThrow(StoreError)
  await expect(objects.put('files/a', CONTENT)).rejects.toThrow(/can't be used/)
  await expect(listKeys(objects, 'files/')).rejects.toThrow(StoreError)
})

describe('A bucket', () => {
  test.for(['cut', 503, 'hang'] as const)(
    'is asked again after %s, and fails after three tries',
    async fault => {
      const { objects, location, fail, requests } = await startS3({
        timeout: fault === 'hang' ? 100 : 5000
      })
      await openObjectStore(location).put('files/a', CONTENT)
      const countGets = () => requests.filter(line => line.startsWith('GET')).length
      fail(fault, { times: 2, requests: /^GET/ })
      expect(await objects.get('files/a')).toEqual(CONTENT)
      expect(countGets()).toBe(3)
      fail(fault, { requests: /^GET/ })
      await expect(objects.get('files/a')).rejects.toThrow(StoreError)
      expect(countGets()).toBe(6)
    }
  )

  test('explains a refusal without the keys', async () => {
    const { location, objects } = await startS3()
    const stranger = openObjectStore({ ...location, secretAccessKey: 'hunter2' })
    await expect(stranger.put('files/a', CONTENT)).rejects.toThrow(
      /^PUT files\/a .* status 403 \(SignatureDoesNotMatch\)$/
    )
    await expect(stranger.put('files/a', CONTENT)).rejects.not.toThrow(/hunter2/)
    const elsewhere = openObjectStore({ ...location, bucket: 'none' })
    await expect(elsewhere.get('files/a')).rejects.toThrow(/NoSuchBucket/)
    expect(await objects.get('files/a')).toBeUndefined()
  })
})
