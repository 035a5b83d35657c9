import { describe, expect, test } from 'vitest'
import { toCanonicalUrl, isInSitemap, isPrivatePath, paths } from '#lib/paths.ts'

const SITE = 'https://palagaram.test'

describe('Page paths', () => {
  test('escape special characters in the id of a product, post or category', () => {
    expect(paths.product('mysore-pak')).toBe('/products/mysore-pak')
    expect(paths.product('a/b?c')).toBe('/products/a%2Fb%3Fc')
    expect(paths.blog('முறுக்கு')).toBe(`/blogs/${encodeURIComponent('முறுக்கு')}`)
    expect(paths.category('seer_items')).toBe('/products?category=seer_items')
  })
})

describe('Canonical URL', () => {
  test.for([
    ['/', 'https://palagaram.test/'],
    ['/products', 'https://palagaram.test/products'],
    ['/products/', 'https://palagaram.test/products'],
    ['/products?category=sweets#first', 'https://palagaram.test/products'],
    ['/products.html', 'https://palagaram.test/products']
  ] as const)('of %s is %s', ([path, address]) => {
    expect(toCanonicalUrl(path, SITE)).toBe(address)
    expect(toCanonicalUrl(path, `${SITE}/`)).toBe(address)
  })
})

describe('Private and public pages', () => {
  test.for([
    paths.cart,
    paths.login,
    paths.profile,
    paths.orders,
    '/orders/invoice',
    paths.admin,
    '/admin/products'
  ])('%s is private and not in the sitemap', path => {
    expect(isPrivatePath(path)).toBe(true)
    expect(isInSitemap(path)).toBe(false)
  })

  test.for([paths.home, paths.products, paths.product('cart'), paths.deals, '/administration'])(
    '%s is public and in the sitemap',
    path => {
      expect(isPrivatePath(path)).toBe(false)
      expect(isInSitemap(path)).toBe(true)
    }
  )

  test('form replies and the 404 page are not in the sitemap', () => {
    expect(isInSitemap(paths.contactSent)).toBe(false)
    expect(isInSitemap('/404')).toBe(false)
  })
})
