import { describe, expect, test } from 'vitest'
import { canonical, isListed, isPrivate, paths } from '#lib/paths.ts'

const SITE = 'https://palagaram.test'

describe('Page paths', () => {
  test('escape any id of a product, post or category', () => {
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
    expect(canonical(path, SITE)).toBe(address)
    expect(canonical(path, `${SITE}/`)).toBe(address)
  })
})

describe('Private pages', () => {
  test.for([paths.cart, paths.login, paths.profile, paths.orders, '/orders/invoice', paths.admin, '/admin/products'])(
    '%s is private and not in the sitemap',
    path => {
      expect(isPrivate(path)).toBe(true)
      expect(isListed(path)).toBe(false)
    }
  )

  test.for([paths.home, paths.products, paths.product('cart'), paths.deals, '/administration'])(
    '%s is public and in the sitemap',
    path => {
      expect(isPrivate(path)).toBe(false)
      expect(isListed(path)).toBe(true)
    }
  )

  test('form replies and the 404 page are not in the sitemap', () => {
    expect(isListed(paths.contactSent)).toBe(false)
    expect(isListed('/404')).toBe(false)
  })
})
