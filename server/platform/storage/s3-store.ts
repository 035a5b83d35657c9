import { AwsV4Signer } from 'aws4fetch'
import { DomUtils, parseDocument } from 'htmlparser2'
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { request, type Dispatcher } from 'undici'
import { MINUTE, SECOND } from '#lib/time.ts'
import { oneLine } from '../process/command.ts'
import { isInside } from './files.ts'
import {
  StoreError,
  UnreachableStoreError,
  type ObjectHeaders,
  type ObjectStore,
  type S3Location,
  type StoredObject
} from './object-store.ts'

interface Options {
  /** Without an answer or new bytes of it, in ms. An upload gets more by its size. */
  timeout: number
  /** Delays before the next attempts, in ms. */
  backoff: readonly number[]
  keysPerPage?: number
}

interface Call {
  method: 'GET' | 'PUT' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: ObjectHeaders & { 'if-none-match'?: '*' }
  content?: Uint8Array
  signal?: AbortSignal | undefined
}

interface Reply {
  status: number
  content: Buffer
  isDamaged: boolean
}

const DEFAULTS: Options = { timeout: 10 * SECOND, backoff: [SECOND / 5, SECOND] }
/** In bytes per ms. Slower uploads fail. Several of them may share a line. */
const MIN_UPLOAD_SPEED = 10
const MAX_DOWNLOAD_TIME = 5 * MINUTE
/** 409: two conditional writes of one object at the same time. */
const TEMPORARY_STATUSES = [408, 409, 425, 429, 500, 502, 503, 504]
const HASH_HEADER = 'x-amz-meta-sha256'

export function createS3Store(
  location: S3Location,
  warn: (message: string) => void,
  { timeout, backoff, keysPerPage }: Options = DEFAULTS
): ObjectStore {
  const { bucket, prefix, endpoint, region, accessKeyId, secretAccessKey } = location
  const signingKeys = new Map<string, ArrayBuffer>()
  let writesConditionally = true

  async function sendOnce({
    method,
    key,
    query,
    headers,
    content = new Uint8Array(),
    signal
  }: Call): Promise<Reply> {
    // A URL with '..' would name another object.
    if (key !== undefined && !isInside(key))
      throw new StoreError(`${JSON.stringify(key)} is not the key of an object`)
    const path =
      key === undefined ? '' : `/${(prefix + key).split('/').map(encodeURIComponent).join('/')}`
    const url = `${endpoint}/${bucket}${path}${query ? `?${new URLSearchParams(query)}` : ''}`
    const hash = sha256(content)
    const signer = new AwsV4Signer({
      method,
      url,
      headers: {
        ...headers,
        'x-amz-content-sha256': hash,
        ...(method === 'PUT' && { [HASH_HEADER]: hash })
      },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache: signingKeys
    })
    const signed = await signer.sign()
    const uploadTimeout = timeout + Math.ceil(content.length / MIN_UPLOAD_SPEED)
    // Not the timeouts of undici, which are a second late.
    const stalled = new AbortController()
    const abort = (): void => stalled.abort(new Error('no answer in time'))
    let timer = setTimeout(abort, uploadTimeout)
    const signals = [
      stalled.signal,
      AbortSignal.timeout(uploadTimeout + MAX_DOWNLOAD_TIME),
      ...(signal ? [signal] : [])
    ]
    try {
      const reply = await request(url, {
        method,
        headers: Object.fromEntries(signed.headers),
        body: method === 'PUT' ? content : null,
        signal: AbortSignal.any(signals)
      })
      clearTimeout(timer)
      timer = setTimeout(abort, timeout)
      const chunks: Uint8Array[] = []
      for await (const chunk of reply.body as AsyncIterable<Uint8Array>) {
        chunks.push(chunk)
        timer.refresh()
      }
      return checkReply(method, reply, Buffer.concat(chunks))
    } finally {
      clearTimeout(timer)
    }
  }

  function checkReply(method: Call['method'], reply: Dispatcher.ResponseData, body: Buffer): Reply {
    const length = reply.headers['content-length']
    if (length !== undefined && Number(length) !== body.length)
      throw new Error('the reply was truncated')
    const storedHash = reply.headers[HASH_HEADER]
    const isChecked = reply.statusCode === 200 && storedHash !== undefined && method === 'GET'
    return {
      status: reply.statusCode,
      content: body,
      isDamaged: isChecked && storedHash !== sha256(body)
    }
  }

  async function send(call: Call, accepts: readonly number[]): Promise<Reply> {
    for (let attempt = 0; ; attempt++) {
      const delay = backoff[attempt]
      try {
        const reply = await sendOnce(call)
        const { status, isDamaged } = reply
        if (accepts.includes(status) && !isDamaged && readErrorCode(reply) !== 'NoSuchBucket')
          return reply
        const isTemporary = TEMPORARY_STATUSES.includes(status)
        const message = describe(call, describeReply(reply))
        if (!isTemporary && !isDamaged) throw new StoreError(message)
        if (delay === undefined)
          throw isTemporary ? new UnreachableStoreError(message) : new StoreError(message)
      } catch (cause) {
        if (cause instanceof StoreError) throw cause
        call.signal?.throwIfAborted()
        if (delay === undefined)
          throw new UnreachableStoreError(describe(call, oneLine(cause)), { cause })
      }
      await sleep(delay * (0.5 + Math.random()), undefined, { signal: call.signal }).catch(
        () => undefined
      )
      call.signal?.throwIfAborted()
    }
  }

  function describe({ method, key = '' }: Call, problem: string): string {
    return `${method} ${key || 'list'} at the object store ${new URL(endpoint).host}: ${problem}`
  }

  async function put(
    key: string,
    content: Uint8Array,
    headers: ObjectHeaders = {},
    signal?: AbortSignal
  ): Promise<void> {
    await send({ method: 'PUT', key, content, headers, signal }, [200])
  }

  return {
    async read(key) {
      const { status, content } = await send({ method: 'GET', key }, [200, 404])
      return status === 200 ? content : undefined
    },
    async create(key, content, signal) {
      if (!writesConditionally) return put(key, content, {}, signal)
      const call: Call = { method: 'PUT', key, content, headers: { 'if-none-match': '*' }, signal }
      const { status } = await send(call, [200, 412, 400, 501])
      if (status === 200 || status === 412) return
      await put(key, content, {}, signal)
      if (writesConditionally)
        warn(`The object store ${endpoint} has no conditional writes: objects are written again`)
      writesConditionally = false
    },
    put,
    async *list(listPrefix) {
      let token: string | undefined
      do {
        const query = {
          'list-type': '2',
          prefix: prefix + listPrefix,
          ...(keysPerPage !== undefined && { 'max-keys': String(keysPerPage) }),
          ...(token !== undefined && { 'continuation-token': token })
        }
        const { content } = await send({ method: 'GET', query }, [200])
        const page = parseList(content)
        const objects = page.objects.map(object => ({
          ...object,
          key: object.key.slice(prefix.length)
        }))
        yield* objects.filter(({ key }) => isInside(key))
        token = page.nextToken
      } while (token !== undefined)
    },
    delete: async (key, signal) =>
      void (await send({ method: 'DELETE', key, signal }, [200, 204, 404])),
    deleteTemporary: async () => undefined
  }
}

function parseList(xml: Buffer): { objects: StoredObject[]; nextToken: string | undefined } {
  const document = parseDocument(xml.toString(), { xmlMode: true })
  const objects = DomUtils.getElementsByTagName('Contents', document).map(element => ({
    key: readText('Key', element) ?? '',
    changedAt: Date.parse(readText('LastModified', element) ?? '')
  }))
  return { objects, nextToken: readText('NextContinuationToken', document) }
}

function readText(
  name: string,
  parent: Parameters<typeof DomUtils.getElementsByTagName>[1]
): string | undefined {
  const element = DomUtils.getElementsByTagName(name, parent)[0]
  return element && DomUtils.textContent(element)
}

function describeReply(reply: Reply): string {
  if (reply.isDamaged) return 'the content does not have its checksum'
  const code = readErrorCode(reply)
  return code === undefined ? `status ${reply.status}` : `status ${reply.status} (${code})`
}

function readErrorCode({ status, content }: Reply): string | undefined {
  if (status < 300) return undefined
  return /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(content.toString('utf8', 0, 2000))?.[1]
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
