import { describe, expect, test } from 'vitest'
import {
  findReturnPath,
  isInSitemap,
  isPrivatePath,
  localPath,
  paths,
  toCanonicalUrl,
  toEnglishPath,
  toLoginPath
} from '#lib/paths.ts'

const SITE = 'https://palagaram.test'

test('Page paths escape special characters in the id of a product, post or category', () => {
  expect(paths.product('mysore-pak')).toBe('/products/mysore-pak')
  expect(paths.product('a/b?c')).toBe('/products/a%2Fb%3Fc')
  expect(paths.blog('முறுக்கு')).toBe(`/blogs/${encodeURIComponent('முறுக்கு')}`)
  expect(paths.category('seer_items')).toBe('/products?category=seer_items')
})

test.for([
  ['/', 'https://palagaram.test/'],
  ['/products/', 'https://palagaram.test/products'],
  ['/products?category=sweets#first', 'https://palagaram.test/products'],
  ['/products.html', 'https://palagaram.test/products']
] as const)('The canonical URL of %s is %s', ([path, address]) => {
  expect(toCanonicalUrl(path, SITE)).toBe(address)
  expect(toCanonicalUrl(path, `${SITE}/`)).toBe(address)
})

describe('Private and public pages', () => {
  test.for([paths.cart, paths.login, paths.profile, '/orders/invoice', '/admin/products'])(
    '%s is private and not in the sitemap',
    path => expect([isPrivatePath(path), isInSitemap(path)]).toEqual([true, false])
  )

  test.for([paths.home, paths.product('cart'), '/administration'])(
    '%s is public and in the sitemap',
    path => expect([isPrivatePath(path), isInSitemap(path)]).toEqual([false, true])
  )

  test.for([paths.contactSent, paths.offline, '/404'])('%s is not in the sitemap', path => {
    expect(isInSitemap(path)).toBe(false)
  })
})

const queryFor = (path: string) => `?${new URLSearchParams({ return: path })}`

describe('Return path after login', () => {
  test.for(['/cart', '/products?category=sweets&q=a%20b', '/my-profile#security', '/'])(
    'is the requested path %s',
    path => {
      expect(findReturnPath(queryFor(path), '', SITE)).toBe(path)
    }
  )

  test('is the referring page if no return path was requested', () => {
    expect(findReturnPath('', `${SITE}/products/mysore-pak?x=1`, SITE)).toBe(
      '/products/mysore-pak?x=1'
    )
  })

  test.for(['https://search.test/?q=sweets', `${SITE}/login?return=/cart`, 'about:client'])(
    'is the home page for the referrer "%s"',
    referrer => expect(findReturnPath('', referrer, SITE)).toBe('/')
  )

  // Known tricks to redirect the user to another site.
  test.for([
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    'https:evil.test',
    'javascript:alert(1)',
    '/login?return=/cart',
    ''
  ])('is the home page if %j is requested', path =>
    expect(findReturnPath(queryFor(path), `${SITE}/cart`, SITE)).toBe('/')
  )
})

describe('Login path', () => {
  test('contains the current page with query and fragment', () => {
    const path = '/products?q=a b&x=ü#top'
    const { pathname, search } = new URL(toLoginPath(path), SITE)
    expect(pathname).toBe('/login')
    expect(new URLSearchParams(search).get('return')).toBe(path)
  })

  test('has no return path if the current page is the home page', () =>
    expect(toLoginPath('/')).toBe('/login'))
})

test.for([
  ['/', '/ta'],
  ['/?q=laddu', '/ta?q=laddu'],
  ['/#setup', '/ta#setup'],
  ['/products?q=laddu', '/ta/products?q=laddu'],
  ['/table', '/ta/table']
] as const)('the path %s has one counterpart in Tamil, and leads back', ([english, tamil]) => {
  expect([localPath(english, 'ta'), localPath(tamil, 'ta')]).toEqual([tamil, tamil])
  expect([toEnglishPath(english), toEnglishPath(tamil)]).toEqual([english, english])
})
