import { describe, expect, test } from 'vitest'
import {
  findBrokenLinks,
  findMissingFiles,
  listLinks,
  parseElements
} from '#server/publishing/release/page.ts'

const FILES = new Set([
  'index.html',
  'products.html',
  '404.html',
  'sitemap-index.xml',
  'products/jangiri.html',
  'a b.svg'
])
const ASSETS = new Set(['jangiri-1a2b-400.avif'])

function findDeadLinks(html: string): string[] {
  return findBrokenLinks('products/jangiri.html', listLinks(parseElements(html)), FILES, ASSETS)
}

describe('Check of a built site', () => {
  test('requires the main pages and the sitemap', () => {
    expect(findMissingFiles(FILES)).toEqual([])
    const requiredFiles = ['index.html', '404.html', 'sitemap-index.xml']
    expect(findMissingFiles(new Set(['products.html']))).toEqual(
      requiredFiles.map(name => expect.stringContaining(name))
    )
  })

  test.for([
    '<a href="/">Home</a>',
    '<a href="/products?category=sweets#top">Sweets</a>',
    '<a href="#main">Skip</a><a href="https://elsewhere.example/x">Out</a><a href="tel:+914312345678">Call</a>',
    '<a href="/cart">Cart</a><a href="/orders/invoice">Invoice</a>',
    '<link rel="icon" href="/a%20b.svg">',
    '<img src="/assets/jangiri-1a2b-400.avif">',
    '<source srcset="/assets/jangiri-1a2b-400.avif 400w, /assets/jangiri-1a2b-400.avif?x 800w">',
    '<a href="/api/docs">Calls</a>'
  ])('accepts working links: %s', html => expect(findDeadLinks(html)).toEqual([]))

  test.for([
    ['<a href="/prodcuts">Products</a>', '/prodcuts'],
    ['<a href="/products/sold-out-for-ever">Gone</a>', '/products/sold-out-for-ever'],
    ['<img src="/assets/none.avif">', '/assets/none.avif'],
    [
      '<source srcset="/assets/jangiri-1a2b-400.avif 1x, /assets/none.webp 2x">',
      '/assets/none.webp'
    ],
    ['<script src="/_astro/none.js"></script>', '/_astro/none.js'],
    ['<use href="/_astro/none.svg#cart"></use>', '/_astro/none.svg#cart'],
    ['<astro-island component-url="/_astro/Gone.js">', '/_astro/Gone.js'],
    ['<link rel="stylesheet" href="/%">', '/%']
  ] as const)('reports a dead link: %s', ([html, link]) => {
    expect(findDeadLinks(html)).toEqual([
      `/products/jangiri links to ${link}, which does not exist`
    ])
  })
})
