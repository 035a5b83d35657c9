import type { FastifyRequest } from 'fastify'
import { BlockList, isIP, SocketAddress } from 'node:net'

/**
 * Returns one spelling for all spellings of an IP address, without port and zone. IPv4 addresses in
 * IPv6 form become IPv4. Returns other texts, such as 'unknown', unchanged.
 */
export function normalizeAddress(text: string): string {
  const trimmed = text.trim()
  const address =
    /^\[(.+)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^(.*\.\d+):\d+$/.exec(trimmed)?.[1] ?? trimmed
  if (isIP(address) !== 6) return address
  return new SocketAddress({ address, family: 'ipv6' }).address.replace(/^::ffff:(?=.*\.)/, '')
}

/** Some proxies add ports to the addresses in X-Forwarded-For. */
export async function normalizeForwarded({ raw: { headers } }: FastifyRequest): Promise<void> {
  const forwarded = headers['x-forwarded-for']
  if (forwarded !== undefined)
    headers['x-forwarded-for'] = String(forwarded).split(',').map(normalizeAddress).join(', ')
}

/** `networks` are addresses, or networks such as '10.1.0.0/16'. */
export function createNetworkList(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [spelled = '', bits] = network.split('/')
    const address = normalizeAddress(spelled)
    const family = familyOf(address)
    // A network of IPv4 addresses may be written in IPv6 form.
    const size = Number(bits) - (family === familyOf(spelled) ? 0 : 96)
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Math.max(0, size), family)
  }
  return spelled => {
    const address = normalizeAddress(spelled)
    return list.check(address, familyOf(address))
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4'
}
