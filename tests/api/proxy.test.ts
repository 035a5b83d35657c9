import { describe, expect, test } from 'vitest'
import type { Config } from '#server/config.ts'
import { openShop } from '../support/shop.ts'

const PROXY = '10.0.0.7'
const VISITOR = '203.0.113.9'

type Trust = number | boolean | readonly string[]

async function visitBehind(trust: Trust, headers: Record<string, string>): Promise<unknown> {
  const trustProxy = (typeof trust === 'object' ? [...trust] : trust) as Config['trustProxy']
  const shop = await openShop('sqlite', { config: { trustProxy } })
  shop.app.get('/visit', ({ ip, protocol, host }) => ({ ip, protocol, host }))
  return (await shop.request({ url: '/visit', remoteAddress: PROXY, headers })).body
}

describe('Headers of a proxy', () => {
  const headers = {
    host: '127.0.0.1:4321',
    'x-forwarded-for': `198.51.100.1, ${VISITOR}`,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'shop.example'
  }
  const asTold = { ip: VISITOR, protocol: 'https', host: 'shop.example' }
  const asConnected = { ip: PROXY, protocol: 'http', host: '127.0.0.1:4321' }

  test.for([
    ['one proxy', 1, asTold],
    ['the address of the proxy', [PROXY], asTold],
    ['the network of the proxy', ['10.0.0.0/8'], asTold],
    ['another address', ['10.0.0.8'], asConnected],
    ['nothing', false, asConnected]
  ] as const)(
    'give address, protocol and host of the visitor only if trusted: %s',
    async ([, trust, visit]) => expect(await visitBehind(trust, headers)).toEqual(visit)
  )
})
