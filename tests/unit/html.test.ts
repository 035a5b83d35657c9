import { describe, expect, test } from 'vitest'
import { elements } from '#server/release/html.ts'

describe('the elements of a page', () => {
  test('are found with their attributes, however these are written', () => {
    const [link] = elements(
      `<A  HREF=/one class='a b'\n data-x="1 > 0" hidden title="&quot;tea&quot; &amp; &#x20b9;5">`
    )
    expect(link?.name).toBe('a')
    expect(Object.fromEntries(link?.attributes ?? [])).toEqual({
      href: '/one',
      class: 'a b',
      'data-x': '1 > 0',
      hidden: '',
      title: '"tea" & ₹5'
    })
  })

  test('are not seen in comments, attributes or the text of scripts and titles', () => {
    const page = `<!-- <script>1</script> --><title><b></title><p data-html="<script>2</script>"><script>"<i>"</script>`
    expect(elements(page).map(({ name }) => name)).toEqual(['title', 'p', 'script'])
  })

  test('carry the text of scripts and styles to the last character', () => {
    const page = '<script>\n  if (a < b) go("</scripty>")\n</SCRIPT ><style>a > b{}</style>'
    expect(elements(page).map(({ text }) => text)).toEqual(['\n  if (a < b) go("</scripty>")\n', 'a > b{}'])
  })

  test('have the line ends that the browser hashes', () => {
    expect(elements('<script>a\r\nb\rc</script>')[0]?.text).toBe('a\nb\nc')
  })

  test('of a broken page are read without waiting for ever', () => {
    for (const broken of [
      '<',
      '<a',
      '<a href="',
      '<script>',
      '<!--',
      '<a '.repeat(20_000),
      `<a${' '.repeat(50_000)}`
    ]) {
      const began = performance.now()
      elements(broken)
      expect(performance.now() - began).toBeLessThan(1000)
    }
  })

  test('keep the first of two attributes with one name', () => {
    expect(elements('<img src="/a" src="/b">')[0]?.attributes.get('src')).toBe('/a')
  })
})
