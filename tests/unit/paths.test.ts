import { describe, expect, test } from 'vitest'
import { canonical, isListed, isPrivate, paths } from '#lib/paths.ts'

const SITE = 'https://palagaram.test'

describe('addresses', () => {
  test('of products, posts and categories take any id', () => {
    expect(paths.product('mysore-pak')).toBe('/products/mysore-pak')
    expect(paths.product('a/b?c')).toBe('/products/a%2Fb%3Fc')
    expect(paths.blog('முறுக்கு')).toBe(`/blogs/${encodeURIComponent('முறுக்கு')}`)
    expect(paths.category('seer_items')).toBe('/products?category=seer_items')
  })
})

describe('the canonical address', () => {
  test.for([
    ['/', 'https://palagaram.test/'],
    ['/products', 'https://palagaram.test/products'],
    ['/products/', 'https://palagaram.test/products'],
    ['/products?category=sweets#first', 'https://palagaram.test/products'],
    ['/products.html', 'https://palagaram.test/products']
  ] as const)('of %s is one', ([path, address]) => {
    expect(canonical(path, SITE)).toBe(address)
    expect(canonical(path, `${SITE}/`)).toBe(address)
  })
})

describe('pages that are the shopper’s own', () => {
  test.for([paths.cart, paths.login, paths.profile, paths.orders, '/orders/invoice', paths.admin, '/admin/products'])(
    '%s is private and not listed',
    path => {
      expect(isPrivate(path)).toBe(true)
      expect(isListed(path)).toBe(false)
    }
  )

  test.for([paths.home, paths.products, paths.product('cart'), paths.deals, '/administration'])(
    '%s is public',
    path => {
      expect(isPrivate(path)).toBe(false)
      expect(isListed(path)).toBe(true)
    }
  )

  test('what answers a form, and the not-found page, are not listed either', () => {
    expect(isListed(paths.contactSent)).toBe(false)
    expect(isListed('/404')).toBe(false)
  })
})
