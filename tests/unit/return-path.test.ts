import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loginPath, returnPath } from '#lib/return-path.ts'

const HERE = 'https://shop.test'
const asked = (path: string): string => `?${new URLSearchParams({ return: path })}`

describe('the way back after login', () => {
  test.for(['/cart', '/products?category=sweets&q=a%20b', '/my-profile#security', '/'])('is %s, as asked for', path => {
    expect(returnPath(asked(path), '', HERE)).toBe(path)
  })

  test('is the page the shopper came from, when nothing was asked for', () => {
    expect(returnPath('', `${HERE}/products/mysore-pak?x=1`, HERE)).toBe('/products/mysore-pak?x=1')
  })

  test.for(['', 'https://search.test/?q=sweets', `${HERE}/login`, `${HERE}/login?return=/cart`, 'about:client'])(
    'is the home page for who came from "%s"',
    referrer => expect(returnPath('', referrer, HERE)).toBe('/')
  )

  test('is never the login page', () => {
    expect(returnPath(asked('/login'), '', HERE)).toBe('/')
    expect(returnPath(asked('/login?return=/cart'), '', HERE)).toBe('/')
  })

  // Each of these has led somebody's shoppers to another site.
  test.for([
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    '/\n\\evil.test',
    '/.//evil.test',
    '\\\\evil.test',
    'https://evil.test/cart',
    'https:evil.test',
    'javascript:alert(1)',
    ' //evil.test',
    '%2F%2Fevil.test',
    'evil.test',
    ''
  ])('does not follow %j', path => expect(returnPath(asked(path), `${HERE}/cart`, HERE)).toBe('/'))

  test('stays on this site whatever is asked for', () => {
    const pieces = fc.constantFrom(
      '/',
      '\\',
      '.',
      '..',
      '\t',
      '\n',
      ' ',
      ':',
      '@',
      '?',
      '#',
      'evil.test',
      'https:',
      '%2f',
      'a'
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), parts => {
        const way = returnPath(asked(parts.join('')), '', HERE)
        expect(new URL(way, HERE).origin).toBe(HERE)
      }),
      { numRuns: 2000 }
    )
  })
})

describe('the way to login', () => {
  test('remembers the page, with its query and fragment', () => {
    const path = '/products?q=a b&x=ü#top'
    const { pathname, search } = new URL(loginPath(path), HERE)
    expect(pathname).toBe('/login')
    expect(new URLSearchParams(search).get('return')).toBe(path)
  })

  test('from the home page is plain', () => expect(loginPath('/')).toBe('/login'))
})
