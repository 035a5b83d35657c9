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

function findDeadLinks(html: string) {
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
    ['<img src="/assets/none.avif">', '/assets/none.avif'],
    [
      '<source srcset="/assets/jangiri-1a2b-400.avif 1x, /assets/none.webp 2x">',
      '/assets/none.webp'
    ],
    ['<script src="/_astro/none.js"></script>', '/_astro/none.js'],
    ['<astro-island component-url="/_astro/Gone.js">', '/_astro/Gone.js'],
    ['<link rel="stylesheet" href="/%">', '/%']
  ] as const)('reports a dead link: %s', ([html, link]) => {
    expect(findDeadLinks(html)).toEqual([
      `/products/jangiri links to ${link}, which does not exist`
    ])
  })
})

describe('HTML element reader', () => {
  test('reads attributes in every notation, and leaves entities as they are', () => {
    const [link] = parseElements(
      `<A  HREF=/one class='a b'\n data-x="1 > 0" hidden title="&quot;tea&quot; &amp; &#x20b9;5">`
    )
    expect(link?.name).toBe('a')
    expect(Object.fromEntries(link?.attributes ?? [])).toEqual({
      href: '/one',
      class: 'a b',
      'data-x': '1 > 0',
      hidden: '',
      title: '&quot;tea&quot; &amp; &#x20b9;5'
    })
  })

  test('ignores tags in comments, attributes, scripts and titles', () => {
    const page = `<!-- <script>1</script> --><title><b></title><p data-html="<script>2</script>"><script>"<i>"</script>`
    expect(parseElements(page).map(({ name }) => name)).toEqual(['title', 'p', 'script'])
  })

  test('reads the exact text of scripts and styles', () => {
    const page = '<script>\n  if (a < b) go("</scripty>")\n</SCRIPT ><style>a > b{}</style>'
    expect(parseElements(page).map(({ text }) => text)).toEqual([
      '\n  if (a < b) go("</scripty>")\n',
      'a > b{}'
    ])
  })

  test('normalises line endings as browsers do before they compute a hash', () => {
    expect(parseElements('<script>a\r\nb\rc</script>')[0]?.text).toBe('a\nb\nc')
  })
})
