import { expect, test } from 'vitest'
import type { RandomInt } from '#server/platform/process/secret.ts'
import { addShopper, openCheckoutShop } from '../support/checkout.ts'
import { ENGINES } from '../support/database.ts'
import { pick, seededInt } from '../support/random.ts'
import type { Shop } from '../support/shop.ts'

interface Schema {
  type?: string | string[]
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  properties?: Record<string, Schema>
  items?: Schema
}

interface Operation {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

type Endpoint = [method: string, path: string, operation: Operation]

const HOSTILE: readonly unknown[] = [
  ...['', ' ', '\ud800', '🍬', '%', '%00', '{', '__proto__', "'; drop table users; --", '\0'],
  ...[-1, -0, 0, 0.001, 1e15, 1e308, Number.MAX_SAFE_INTEGER, 2 ** 53],
  ...['9999-12-31T23:59:59.999Z', '2026-02-30', '0000-01-01T00:00:00+23:59'],
  ...['laddu\0', '-1', 'x'.repeat(5000), null, true, [], {}, [null], { id: '\0' }]
]

/** Values that pass the checks of the field with this name. */
const SAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  email: ['anita@example.com', 'bala@example.com'],
  password: ['kesari-47'],
  otp: ['123456'],
  phone: ['9876543210'],
  phoneNumber: ['9876543210'],
  pincode: ['620002'],
  csv: ['Name,Price\nLaddu,120', 'Id,Stock\nladdu,7'],
  product: ['laddu', 'murukku'],
  productId: ['laddu', 'murukku'],
  price: [120, 80.5],
  amount: [120, 240, 1, 80.5],
  quantity: [1, 2],
  version: [0, 1, 2, '1'],
  startTime: ['2026-11-20T00:00:00.000Z'],
  endTime: ['2026-11-25T00:00:00.000Z'],
  page: ['1', '2'],
  kind: ['product', 'deal,post'],
  slug: ['a-new-post']
}

const FORMATS: Readonly<Record<string, readonly unknown[]>> = {
  uuid: ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'],
  date: ['2026-11-24', '2026-11-26'],
  'date-time': ['2026-11-24T10:00:00.000Z']
}

const REQUESTS = 10_000
/** A backup takes a second and has no input. The provider signs its calls. */
const LEFT_OUT = /^\/admin\/backups|-(?:callback|webhook)$/
const MAX_IDS = 50
const REQUESTS_PER_SESSION = 50

test.for(ENGINES)(
  'random requests for all documented calls never get 500 on %s',
  { timeout: 60_000 + REQUESTS * 60 },
  async engine => {
    const shop = await openCheckoutShop(engine, {
      products: { laddu: { price: 120 }, murukku: { price: 80.5 } },
      deals: { festival: { product: 'laddu' } }
    })
    const random = seededInt(1)
    const endpoints = await readEndpoints(shop)
    const ids = ['laddu', 'murukku', 'festival']
    const failures: string[] = []
    let accepted = 0
    let tokens: (string | undefined)[] = []
    for (let count = 0; count < REQUESTS; count++) {
      // Random requests log out, delete accounts and reach limits.
      if (count % REQUESTS_PER_SESSION === 0) {
        const owner = await addShopper(shop, undefined, 'owner')
        tokens = [undefined, (await addShopper(shop)).token, owner.token]
      }
      const request = makeRequest(random, pick(endpoints, random), ids, pick(tokens, random))
      const { status, text } = await shop.request(request)
      if (status < 400) accepted++
      else if (status === 500 || !/^\{"message":".+","code":"[A-Z_]+"/.test(text))
        failures.push(`${status} ${text} for ${JSON.stringify(request)}`.slice(0, 700))
      for (const [, id] of text.matchAll(/"(?:_id|id|orderId|dealId)":"([^"]+)"/g))
        if (id !== undefined && ids.length < MAX_IDS) ids.push(id)
      shop.clock.advance(500)
    }
    expect(failures).toEqual([])
    // Otherwise, nearly all requests would fail before they reach the database.
    expect(accepted).toBeGreaterThan(REQUESTS / 10)
  }
)

async function readEndpoints(shop: Shop) {
  const { paths } = (await shop.get('/docs/json')).body as {
    paths: Record<string, Record<string, Operation>>
  }
  return Object.entries(paths)
    .filter(([path]) => !LEFT_OUT.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]): Endpoint => [method, path, operation])
    )
}

/** Most requests have one or two hostile values. */
function makeRequest(
  random: RandomInt,
  [method, path, { parameters = [], requestBody }]: Endpoint,
  ids: readonly string[],
  token: string | undefined
) {
  const draw = (schema: Schema, name = ''): unknown => drawValue(random, schema, name, ids)
  const query = parameters.filter(each => each.in === 'query' && random(0, 2) === 0)
  const search = new URLSearchParams(
    query.map(({ name, schema }) => [name, String(draw(schema, name))])
  ).toString()
  const url = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encode(String(draw({ type: 'string' }, name)))
  )
  const schema = requestBody?.content['application/json']?.schema
  const payload = schema ? JSON.stringify(draw(schema)) : ''
  return {
    method: method as 'get',
    url: `/api${url}${search === '' ? '' : `?${search}`}`,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...((payload !== '' || random(0, 2) === 0) &&
        method !== 'get' && { 'content-type': 'application/json' })
    },
    ...(payload !== '' && { payload })
  }
}

function drawValue(
  random: RandomInt,
  schema: Schema,
  name: string,
  ids: readonly string[]
): unknown {
  if (random(0, 10) === 0) return pick(HOSTILE, random)
  const variants = schema.anyOf
  if (variants) return drawValue(random, pick(variants, random), name, ids)
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map(each => drawValue(random, each, name, ids)))
  if ('const' in schema) return schema.const
  if (schema.enum) return pick(schema.enum, random)
  if (schema.properties) {
    const fields = Object.entries(schema.properties).filter(() => random(0, 20) > 0)
    return Object.fromEntries(
      fields.map(([key, field]) => [key, drawValue(random, field, key, ids)])
    )
  }
  const { items } = schema
  if (items) return Array.from({ length: random(0, 4) }, () => drawValue(random, items, name, ids))
  const sample = SAMPLES[name] ?? FORMATS[schema.format ?? '']
  if (sample) return pick(sample, random)
  if (schema.type === 'string') return pick(ids, random)
  if (schema.type === 'integer' || schema.type === 'number') return random(0, 100)
  if (schema.type === 'boolean') return random(0, 2) === 0
  return pick(HOSTILE, random)
}

/** Unlike encodeURIComponent, accepts half of a surrogate pair. */
function encode(text: string) {
  return new URLSearchParams({ text }).toString().slice('text='.length).replaceAll('+', '%20')
}
