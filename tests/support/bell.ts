import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { BELL_KINDS, type Staff } from '#lib/contract/names.ts'
import type { Push, PushReply } from '#server/bell/push.ts'
import { expectOk } from './accounts.ts'
import { withAdmin } from './admin-products.ts'
import { addShopper, openCheckoutShop, type Shopper } from './checkout.ts'
import type { Engine } from './database.ts'
import type { Reply, Shop } from './shop.ts'

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Mobile Safari/537.36'

interface Received {
  title: string
  path: string
  tag: string
}

export type Device = ReturnType<typeof makeDevice>

/** Decrypts what was sent to it (RFC 8291), as a browser does. */
export function makeDevice(name: string) {
  const pair = createECDH('prime256v1')
  const publicKey = pair.generateKeys()
  const auth = randomBytes(16)
  return {
    endpoint: `https://fcm.googleapis.com/fcm/send/${name}`,
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    decrypt(body: Buffer) {
      const salt = body.subarray(0, 16)
      const sender = body.subarray(21, 21 + body.readUInt8(20))
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender])
      const key = hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32)
      const derive = (label: string, length: number) =>
        Buffer.from(
          hkdfSync('sha256', Buffer.from(key), salt, `Content-Encoding: ${label}\0`, length)
        )
      const data = body.subarray(21 + sender.length)
      const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
      decipher.setAuthTag(data.subarray(-16))
      const plain = Buffer.concat([decipher.update(data.subarray(0, -16)), decipher.final()])
      expect(plain.at(-1)).toBe(2)
      return JSON.parse(plain.subarray(0, -1).toString()) as Received
    }
  }
}

interface Sent {
  endpoint: string
  headers: Record<string, string>
  body: Buffer
}

/** Answers by the name of the device, with 201 by default. */
export function makePushService() {
  const sent: Sent[] = []
  const replies: Record<string, number | PushReply | 'hangs'> = {}
  const push: Push = async (endpoint, headers, body) => {
    sent.push({ endpoint, headers, body })
    const reply = replies[endpoint.split('/').at(-1) ?? ''] ?? 201
    if (reply === 'hangs') return new Promise(() => undefined)
    return typeof reply === 'number' ? { status: reply, retryAfter: '' } : reply
  }
  return {
    push,
    sent,
    replies,
    names: () => sent.map(({ endpoint }) => endpoint.split('/').at(-1))
  }
}

export async function openBellShop(engine: Engine = 'sqlite') {
  const service = makePushService()
  const products = { laddu: { category: 'pickles', price: 180.5, stock: 8 } } as const
  const shop = await withAdmin(await openCheckoutShop(engine, { products, push: service.push }))
  const anita = await addShopper(shop, 'anita')
  return { ...shop, ...service, shop, anita, ...(await addOwner(shop)) }
}

export async function addOwner(shop: Shop, name = 'phone', staff: Staff = 'owner') {
  const owner = await addShopper(shop, `${staff}-${name}`, staff)
  const device = makeDevice(name)
  await expectOk(subscribe(shop, owner, device))
  return { owner, device }
}

export function subscribe(
  shop: Shop,
  person: Shopper,
  device: Device,
  kinds: readonly string[] = BELL_KINDS
): Promise<Reply> {
  const { endpoint, keys } = device
  const headers = {
    authorization: `Bearer ${person.token}`,
    'user-agent': ANDROID,
    ...(person.language && { 'accept-language': person.language })
  }
  return shop.post('/admin/bell', { endpoint, keys, kinds }, headers)
}
