import { paths } from './paths.ts'

export function toLoginPath(from: string): string {
  return from === paths.home ? paths.login : `${paths.login}?${new URLSearchParams({ return: from })}`
}

/** Returns the `return` parameter, the referrer or the home page. Never returns another site or the login page. */
export function findReturnPath(query: string, referrer: string, origin: string): string {
  const requested = new URLSearchParams(query).get('return')
  return (requested === null ? toLocalPath(referrer, origin) : parseReturnPath(requested, origin)) ?? paths.home
}

// Browsers treat `//evil.com` and `/\evil.com` as addresses of another site.
const LOCAL_PATH = /^\/(?![/\\])/

function parseReturnPath(address: string, origin: string): string | undefined {
  return LOCAL_PATH.test(address) ? toLocalPath(address, origin) : undefined
}

function toLocalPath(address: string, origin: string): string | undefined {
  try {
    const { origin: site, pathname, search, hash } = new URL(address, origin)
    const path = `${pathname}${search}${hash}`
    // The resolved path is tested too, because `/.//evil.com` resolves to `//evil.com`.
    return address !== '' && site === origin && LOCAL_PATH.test(path) && pathname !== paths.login ? path : undefined
  } catch {
    return undefined
  }
}
