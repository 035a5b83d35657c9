import { paths } from './paths.ts'

/** The page where one logs in, which leads back to `from` (path, query and fragment) afterwards. */
export function loginPath(from: string): string {
  return from === paths.home ? paths.login : `${paths.login}?${new URLSearchParams({ return: from })}`
}

/**
 * Where somebody who has logged in goes on: what the address of the login page asks for, else the page they came from,
 * else the home page; never to another site and never to the login page itself.
 */
export function returnPath(query: string, referrer: string, origin: string): string {
  const asked = new URLSearchParams(query).get('return')
  return (asked === null ? pathOf(referrer, origin) : safePath(asked, origin)) ?? paths.home
}

// `//evil.com`, `/\evil.com` and a tab between the slashes all look like paths and are other sites to a browser.
const PATH = /^\/(?![/\\])/

function safePath(asked: string, origin: string): string | undefined {
  return PATH.test(asked) ? pathOf(asked, origin) : undefined
}

function pathOf(address: string, origin: string): string | undefined {
  try {
    const { origin: site, pathname, search, hash } = new URL(address, origin)
    const path = `${pathname}${search}${hash}`
    // Asked again of the result: `/.//evil.com` only becomes `//evil.com` by being resolved.
    return address !== '' && site === origin && PATH.test(path) && pathname !== paths.login ? path : undefined
  } catch {
    return undefined
  }
}
