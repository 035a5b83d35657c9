import { AwsV4Signer } from 'aws4fetch'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SECOND } from '#lib/time.ts'
import { oneLine } from '../process/command.ts'
import { ConfigError, parseHttpUrl, type Environment } from '../process/settings.ts'
import { isInside } from './files.ts'
import {
  createFolderStore,
  type ObjectStore,
  StoreError,
  type ObjectHeaders,
  type StoredObject
} from './object-store.ts'

export type StorageLocation = { type: 'folder'; folder: string } | S3Location

export const STORAGE_EXAMPLE =
  's3://bucket/folder?endpoint=https://s3.example&region=eu-central-1 or file:///mnt/shop'

export function openObjectStore(location: StorageLocation): ObjectStore {
  return location.type === 'folder' ? createFolderStore(location.folder) : createS3Store(location)
}

export function isStorageUrl(value: string): boolean {
  if (value.startsWith('file:')) return parseFolder(value) !== undefined || isEmptyFileUrl(value)
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return false
  const { endpoint, region, ...others } = Object.fromEntries(url.searchParams)
  const isEndpoint =
    endpoint === undefined || (parseHttpUrl(endpoint) !== undefined && !/[?#]/.test(endpoint))
  const isRegion = region === undefined || /^[a-z0-9-]+$/.test(region)
  return (
    /^[a-z0-9][a-z0-9.-]+$/.test(url.hostname) &&
    isEndpoint &&
    isRegion &&
    Object.keys(others).length === 0
  )
}

export function parseStorageUrl(
  value: string | undefined,
  env: Environment
): StorageLocation | undefined {
  if (value === undefined || isEmptyFileUrl(value)) return undefined
  const folder = parseFolder(value)
  if (folder !== undefined) return { type: 'folder', folder }
  const accessKeyId = env['AWS_ACCESS_KEY_ID']?.trim()
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY']?.trim()
  if (!accessKeyId || !secretAccessKey) {
    throw new ConfigError(
      'STORAGE_URL needs the keys of the store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
    )
  }
  const { hostname: bucket, pathname, searchParams } = new URL(value)
  const path = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '')
  const region = searchParams.get('region') ?? 'us-east-1'
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`
  return {
    type: 's3',
    bucket,
    prefix: path && `${path}/`,
    endpoint: endpoint.replace(/\/+$/, ''),
    region,
    accessKeyId,
    secretAccessKey
  }
}

function isEmptyFileUrl(value: string) {
  return /^file:\/*$/.test(value)
}

function parseFolder(value: string) {
  return /^file:\/\/\/[^?#\0]+$/.test(value) && URL.canParse(value)
    ? fileURLToPath(value)
    : undefined
}

export interface S3Location {
  type: 's3'
  bucket: string
  /** Empty, or ends with a slash. */
  prefix: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

interface Options {
  /** Of one attempt, in ms. An upload gets more by its size. */
  timeout: number
  backoff: readonly number[]
  keysPerPage?: number
}

interface Call {
  method: 'GET' | 'PUT' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: ObjectHeaders | undefined
  content?: Uint8Array
  signal?: AbortSignal | undefined
}

interface Reply {
  status: number
  content: Buffer
}

const DEFAULTS: Options = { timeout: 20 * SECOND, backoff: [SECOND / 5, SECOND] }
/** In bytes per ms. Slower uploads fail. Several of them may share a line. */
const MIN_UPLOAD_SPEED = 10
const TEMPORARY_STATUSES = [408, 409, 425, 429, 500, 502, 503, 504]

export function createS3Store(
  location: S3Location,
  { timeout, backoff, keysPerPage }: Options = DEFAULTS
): ObjectStore {
  const { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey } = location

  async function sendOnce({ method, key, query, headers, content, signal }: Call): Promise<Reply> {
    const path =
      key === undefined ? '' : `/${(prefix + key).split('/').map(encodeURIComponent).join('/')}`
    const body = content ?? new Uint8Array()
    const signer = new AwsV4Signer({
      method,
      url: `${endpoint}/${bucket}${path}${query ? `?${new URLSearchParams(query)}` : ''}`,
      headers: {
        ...headers,
        // The store checks what it has received.
        'x-amz-content-sha256': createHash('sha256').update(body).digest('hex')
      },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3'
    })
    const signed = await signer.sign()
    const deadline = AbortSignal.timeout(timeout + Math.ceil(body.length / MIN_UPLOAD_SPEED))
    const reply = await fetch(signed.url, {
      method,
      headers: signed.headers,
      body: method === 'PUT' ? Buffer.from(body) : null,
      signal: signal ? AbortSignal.any([deadline, signal]) : deadline
    })
    return { status: reply.status, content: Buffer.from(await reply.arrayBuffer()) }
  }

  async function send(call: Call): Promise<Reply> {
    const { method, key, signal } = call
    // A URL with '..' would name another object.
    if (key !== undefined && !isInside(key))
      throw new StoreError(`${JSON.stringify(key)} is not the key of an object`)
    for (let attempt = 0; ; attempt++) {
      const reply = await sendOnce(call).catch(describeFailure)
      signal?.throwIfAborted()
      if (typeof reply === 'object' && isExpected(reply, key)) return reply
      const problem = typeof reply === 'string' ? reply : describe(reply)
      const isTemporary = typeof reply === 'string' || TEMPORARY_STATUSES.includes(reply.status)
      const delay = backoff[attempt]
      if (!isTemporary || delay === undefined) {
        const host = new URL(endpoint).host
        throw new StoreError(`${method} ${key ?? 'list'} at the object store ${host}: ${problem}`)
      }
      await sleep(delay * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined)
      signal?.throwIfAborted()
    }
  }

  return {
    isFolder: false,
    async get(key) {
      const { status, content } = await send({ method: 'GET', key })
      return status === 200 ? content : undefined
    },
    async put(key, content, headers, signal) {
      const { status } = await send({ method: 'PUT', key, content, headers, signal })
      if (status === 404) throw new StoreError(`The object store ${endpoint} did not take ${key}`)
    },
    async *list(listPrefix) {
      let token: string | undefined
      do {
        const query = {
          'list-type': '2',
          prefix: prefix + listPrefix,
          ...(keysPerPage !== undefined && { 'max-keys': String(keysPerPage) }),
          ...(token !== undefined && { 'continuation-token': token })
        }
        const page = parseList((await send({ method: 'GET', query })).content)
        for (const { key, changedAt } of page.objects) {
          const name = key.slice(prefix.length)
          if (isInside(name)) yield { key: name, changedAt }
        }
        token = page.nextToken
      } while (token !== undefined)
    },
    delete: async (key, signal) => void (await send({ method: 'DELETE', key, signal }))
  }
}

function isExpected(reply: Reply, key: string | undefined) {
  const isMissing = reply.status === 404 && key !== undefined
  return reply.status < 300 || (isMissing && readErrorCode(reply) !== 'NoSuchBucket')
}

function parseList(content: Buffer): { objects: StoredObject[]; nextToken: string | undefined } {
  const xml = content.toString()
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, item = '']) => ({
    key: readTag('Key', item) ?? '',
    changedAt: Date.parse(readTag('LastModified', item) ?? '')
  }))
  return { objects, nextToken: readTag('NextContinuationToken', xml) }
}

/** Keys of the shop have no characters that XML escapes. */
function readTag(name: string, xml: string) {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
}

function describeFailure(error: unknown) {
  return oneLine(error instanceof Error && error.cause ? error.cause : error)
}

function describe(reply: Reply) {
  const code = readErrorCode(reply)
  return code === undefined ? `status ${reply.status}` : `status ${reply.status} (${code})`
}

function readErrorCode({ content }: Reply) {
  return /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(content.toString('utf8', 0, 2000))?.[1]
}
