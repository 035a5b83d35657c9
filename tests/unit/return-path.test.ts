import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toLoginPath, findReturnPath } from '#lib/paths.ts'

const HERE = 'https://shop.test'
const queryFor = (path: string): string => `?${new URLSearchParams({ return: path })}`

describe('Return path after login', () => {
  test.for(['/cart', '/products?category=sweets&q=a%20b', '/my-profile#security', '/'])(
    'is the requested path %s',
    path => {
      expect(findReturnPath(queryFor(path), '', HERE)).toBe(path)
    }
  )

  test('is the referring page if no return path was requested', () => {
    expect(findReturnPath('', `${HERE}/products/mysore-pak?x=1`, HERE)).toBe(
      '/products/mysore-pak?x=1'
    )
  })

  test.for([
    '',
    'https://search.test/?q=sweets',
    `${HERE}/login`,
    `${HERE}/login?return=/cart`,
    'about:client'
  ])('is the home page for the referrer "%s"', referrer =>
    expect(findReturnPath('', referrer, HERE)).toBe('/')
  )

  test('is never the login page', () => {
    expect(findReturnPath(queryFor('/login'), '', HERE)).toBe('/')
    expect(findReturnPath(queryFor('/login?return=/cart'), '', HERE)).toBe('/')
  })

  // Known tricks to redirect the user to another site.
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
  ])('is the home page if %j is requested', path =>
    expect(findReturnPath(queryFor(path), `${HERE}/cart`, HERE)).toBe('/')
  )

  test('is on this site for every requested path', () => {
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
        const result = findReturnPath(queryFor(parts.join('')), '', HERE)
        expect(new URL(result, HERE).origin).toBe(HERE)
      }),
      { numRuns: 2000 }
    )
  })
})

describe('Login path', () => {
  test('contains the current page with query and fragment', () => {
    const path = '/products?q=a b&x=ü#top'
    const { pathname, search } = new URL(toLoginPath(path), HERE)
    expect(pathname).toBe('/login')
    expect(new URLSearchParams(search).get('return')).toBe(path)
  })

  test('has no return path if the current page is the home page', () =>
    expect(toLoginPath('/')).toBe('/login'))
})
