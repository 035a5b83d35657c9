import { paths } from './paths.ts'

export function loginPath(from: string): string {
  return from === paths.home ? paths.login : `${paths.login}?${new URLSearchParams({ return: from })}`
}

/** `?return=`, else the referrer, else the home page; never another site or the login page. */
export function returnPath(query: string, referrer: string, origin: string): string {
  const requested = new URLSearchParams(query).get('return')
  return (requested === null ? pathOf(referrer, origin) : safePath(requested, origin)) ?? paths.home
}

// Browsers take `//evil.com`, `/\evil.com` and a tab between the slashes for other sites.
const PATH = /^\/(?![/\\])/

function safePath(address: string, origin: string): string | undefined {
  return PATH.test(address) ? pathOf(address, origin) : undefined
}

function pathOf(address: string, origin: string): string | undefined {
  try {
    const { origin: site, pathname, search, hash } = new URL(address, origin)
    const path = `${pathname}${search}${hash}`
    // Tests the resolved path too: `/.//evil.com` resolves to `//evil.com`.
    return address !== '' && site === origin && PATH.test(path) && pathname !== paths.login ? path : undefined
  } catch {
    return undefined
  }
}
