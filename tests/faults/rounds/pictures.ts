import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import type { TestEnvironment } from './environment.ts'
import type { Observations } from './observations.ts'

const UPLOAD_EVERY_MS = 4000
const TIMEOUT_MS = 15_000

/** A shared folder that can go away, because an S3 server refuses the clocks of the rounds. */
export interface PictureStore {
  url: string
  cut(): void
  mend(): void
}

export function openPictureStore(parent: string): PictureStore {
  const [folder, away] = [join(parent, 'store'), join(parent, 'store-away')]
  mkdirSync(folder)
  const cut = (): void => renameSync(folder, away)
  const mend = (): void => renameSync(away, folder)
  return { url: pathToFileURL(folder).href, cut, mend }
}

/** Uploads pictures to one node and reads them from all. */
export async function uploadUntilClosed(
  env: TestEnvironment,
  observed: Observations,
  closing: AbortSignal
): Promise<void> {
  for (let number = 0; !closing.aborted; number++) {
    const server = env.servers[number % env.servers.length]
    const key = server && (await upload(env, server.url, number))
    if (key !== undefined) {
      observed.pictures.push(key)
      for (const { url } of env.servers) {
        const status = await read(url, key)
        if (![0, 200, 503].includes(status))
          observed.violations.push(`Picture ${key} replied with ${status}`)
      }
    }
    await wait(UPLOAD_EVERY_MS, undefined, { signal: closing }).catch(() => undefined)
  }
}

export async function findLostPictures(
  env: TestEnvironment,
  { pictures }: Observations
): Promise<string[]> {
  const lost: string[] = []
  for (const key of pictures)
    for (const { url } of env.servers) {
      const status = await read(url, key)
      if (status !== 200)
        lost.push(`Picture ${key} was uploaded, but ${url} replies with ${status}`)
    }
  return lost
}

/** Returns the key of the picture if the node has confirmed it. */
async function upload(
  { admin }: TestEnvironment,
  url: string,
  number: number
): Promise<string | undefined> {
  const background = { r: number % 256, g: 90, b: 40 }
  const content = await sharp({ create: { width: 400, height: 400, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const body = new FormData()
  body.append('file', new Blob([Uint8Array.from(content)], { type: 'image/jpeg' }), 'photo.jpg')
  const headers = { authorization: `Bearer ${admin.token}`, 'x-forwarded-for': admin.ip }
  const init = { method: 'POST', body, headers, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const reply = await fetch(`${url}/api/admin/pictures?name=photo`, init).catch(() => undefined)
  if (reply?.status !== 201) return undefined
  return reply.json().then(
    (picture: { key: string }) => picture.key,
    () => undefined
  )
}

/** Returns 0 if there was no complete reply. */
async function read(url: string, key: string): Promise<number> {
  return fetch(`${url}/assets/${key}.jpg`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    .then(async reply => (await reply.arrayBuffer(), reply.status))
    .catch(() => 0)
}
