import { createECDH, ECDH } from 'node:crypto'
import { lookup } from 'node:dns'
import { BlockList, type LookupFunction } from 'node:net'
import { Agent, request } from 'undici'
import webpush from 'web-push'
import { SECOND } from '#lib/time.ts'

export interface PushReply {
  status: number
  retryAfter: string
}

/** Throws if the push service does not answer. */
export type Push = (
  endpoint: string,
  headers: Record<string, string>,
  body: Buffer
) => Promise<PushReply>

export type VapidKeys = Readonly<Record<'publicKey' | 'privateKey', string>>

/** Those of Chrome, Firefox, Safari and Edge. */
const SERVICES =
  /^(?:fcm\.googleapis\.com|[\w.-]+\.(?:push\.services\.mozilla|push\.apple|notify\.windows)\.com)$/
const CURVE = 'prime256v1'

interface Subscription {
  endpoint: string
  p256dh: string
  auth: string
}

export function isUsable({ endpoint, p256dh }: Omit<Subscription, 'auth'>): boolean {
  try {
    // Throws if it is not a point on the curve.
    ECDH.convertKey(p256dh, CURVE, 'base64url')
    const { origin, hostname, href } = new URL(endpoint)
    // Without a port, and with the URL as it is without anything hidden, such as a password.
    return (
      SERVICES.test(hostname) &&
      origin === `https://${hostname}` &&
      href === endpoint &&
      endpoint.startsWith(`${origin}/`)
    )
  } catch {
    return false
  }
}

/** Nodes with the same secret have the same keys. */
export function toVapidKeys(secret: Buffer): VapidKeys {
  const scalar = Buffer.from(secret)
  // Below 2^255, and so below the order of the curve.
  scalar.writeUInt8(scalar.readUInt8() & 0x7f)
  const pair = createECDH(CURVE)
  pair.setPrivateKey(scalar)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: scalar.toString('base64url') }
}

interface PushMessage {
  payload: string
  /** Less urgent. It replaces a message of the same topic that the device has not received yet. */
  topic: string | null
  /** In ms. */
  lifetime: number
}

/** Encrypted as in RFC 8291, and signed as in RFC 8292. */
export async function sendPush(
  push: Push,
  { endpoint, p256dh, auth }: Subscription,
  { payload, topic, lifetime }: PushMessage,
  vapidDetails: VapidKeys & { subject: string }
): Promise<PushReply> {
  const { headers, body } = webpush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    payload,
    {
      vapidDetails,
      TTL: Math.floor(lifetime / SECOND),
      ...(topic === null ? { urgency: 'high' } : { urgency: 'normal', topic })
    }
  )
  return push(endpoint, headers as Record<string, string>, body as Buffer)
}

const INTERNAL = new BlockList()
for (const network of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/3'],
  ...['::/96', '::ffff:0:0/96', 'fc00::/7', 'fe80::/9', 'ff00::/8']
]) {
  const [address = '', bits] = network.split('/')
  INTERNAL.addSubnet(address, Number(bits), familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4'
}

/** Follows no redirects, and never reads the reply. */
export function createPush({
  timeout = 10 * SECOND,
  resolve = lookup as LookupFunction,
  internal = INTERNAL
} = {}): Push {
  const publicLookup: LookupFunction = (host, options, callback) =>
    resolve(host, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : []
      const isInternal = addresses.some(each =>
        internal.check(each.address, familyOf(each.address))
      )
      const problem = isInternal ? new Error(`${host} has an internal address`) : error
      if (options.all) callback(problem, addresses)
      else callback(problem, addresses[0]?.address ?? '', addresses[0]?.family)
    })
  const dispatcher = new Agent({ connect: { lookup: publicLookup } })
  return async (endpoint, headers, body) => {
    const signal = AbortSignal.timeout(timeout)
    const reply = await request(endpoint, { method: 'POST', headers, body, dispatcher, signal })
    reply.body.on('error', () => undefined).destroy()
    return { status: reply.statusCode, retryAfter: String(reply.headers['retry-after'] ?? '') }
  }
}
