import { describe, expect, test } from 'vitest'
import { parseElements } from '#server/publishing/release/page.ts'

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

  test('reads broken HTML in under a second', () => {
    for (const broken of [
      '<',
      '<a',
      '<a href="',
      '<script>',
      '<!--',
      '<a '.repeat(20_000),
      `<a${' '.repeat(50_000)}`
    ]) {
      const startTime = performance.now()
      parseElements(broken)
      expect(performance.now() - startTime).toBeLessThan(1000)
    }
  })

  test('keeps the first of two attributes with the same name', () => {
    expect(parseElements('<img src="/a" src="/b">')[0]?.attributes.get('src')).toBe('/a')
  })
})
