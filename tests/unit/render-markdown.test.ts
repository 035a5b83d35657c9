import { describe, expect, test } from 'vitest'
import { renderMarkdown } from '#content/render-markdown.ts'
import { isShopPage } from '#lib/paths.ts'

const ATTACKS = [
  '<script>alert(1)</script>',
  '<<script>script>alert(1)<</script>/script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<iframe srcdoc="<script>alert(1)</script>">',
  '<style>*{background:url(//evil.example)}</style>',
  '<a href="javascript:alert(1)">press</a>',
  '<p onclick="alert(1)" style="position:fixed">press</p>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<!--><img src=x onerror=alert(1)>-->',
  '`<script>alert(1)</script>`',
  '```html"onmouseover="alert(1)\n<script>alert(1)</script>\n```',
  '    <script>alert(1)</script>',
  '| a |\n|---|\n| <img src=x onerror=alert(1)> |',
  '[press](JaVaScRiPt:alert(1))',
  '[press](&#106;avascript:alert(1))',
  '[press](javascript&colon;alert(1))',
  '[press](<java\tscript:alert(1)>)',
  '[press](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '[press](//evil.example/x)',
  '[press](/\\evil.example/x)',
  '[press](https://ok.example "x\\" onmouseover=\\"alert(1)")',
  '[press]\n\n[press]: javascript:alert(1)',
  '![x](https://evil.example/pixel.png)',
  '![x"onerror="alert(1)](x)'
]

/** Returns all tags with their attributes. */
const listTags = (html: string) => html.match(/<[^>]*>?/g) ?? []
const HARMLESS =
  /^<(\/?(h[2-4]|p|ul|ol|li|blockquote|a|strong|em|del|code|pre|table|thead|tbody|tr|th|td)|(br|hr) \/)>$/
const LINK = /^<a href="(https?:\/\/|mailto:|tel:|\/(?![/\\]))[^"<>]*" rel="noopener">$/

describe('Markdown rendering', () => {
  test.for(ATTACKS)('renders no active content: %s', attack => {
    for (const text of [attack, `Before ${attack} after`, `Before\n\n${attack}\n\nafter`]) {
      const forbiddenTags = listTags(renderMarkdown(text)).filter(
        tag => !HARMLESS.test(tag) && !LINK.test(tag)
      )
      expect(forbiddenTags).toEqual([])
    }
  })

  test('escapes HTML but renders Markdown inside it', () => {
    expect(renderMarkdown('Use <b>**two** spoons</b> & stir')).toBe(
      '<p>Use &lt;b&gt;<strong>two</strong> spoons&lt;/b&gt; &amp; stir</p>\n'
    )
    expect(renderMarkdown('less < more, I <3 jaggery')).toBe(
      '<p>less &lt; more, I &lt;3 jaggery</p>\n'
    )
  })

  test('renders headings as levels 2 to 4, because level 1 is the page heading', () => {
    expect(renderMarkdown('# One\n\n### Three\n\n###### Six')).toBe(
      '<h2>One</h2>\n<h3>Three</h3>\n<h4>Six</h4>\n'
    )
  })

  test('accepts long texts with many formats, and refuses those that would take seconds', () => {
    const sentence = 'Keep **pickles** cool, and *never* wet: ~~a wet~~ a dry spoon. '
    const paragraphs = `${sentence.repeat(30)}\n\n`.repeat(16)
    expect(renderMarkdown(paragraphs).match(/<strong>/g)).toHaveLength(480)
    expect(renderMarkdown(`- ${sentence}\n`.repeat(400)).match(/<li>/g)).toHaveLength(400)
    for (const unit of ['*a_', '~|*', '[*a', '> - ', '1. '])
      expect(() => renderMarkdown(unit.repeat(30_000 / unit.length)), unit).toThrow(RangeError)
  })

  test('renders all supported Markdown', () => {
    const html = renderMarkdown(
      '*a* **b** ~~c~~ `d`\n\n- one\n\n1. first\n\n> said\n\n| x |\n|---|\n| y |\n\n---'
    )
    for (const tag of ['em', 'strong', 'del', 'code', 'ul', 'ol', 'blockquote', 'table', 'td'])
      expect(html).toContain(`<${tag}>`)
  })

  test('renders a link only to another site, a mail address, a phone number or an existing page', () => {
    const [products, posts] = [new Set(['laddu']), new Set(['story'])]
    const pages = { products, posts, collections: new Set<string>() }
    const isLinked = (href: string) =>
      renderMarkdown(`[words](${href})`, address => isShopPage(address, pages)).includes('<a ')
    const linked = ['https://x.example', 'mailto:a@x.example', 'tel:+911234', '/', '/blogs/story']
    const broken = [
      '/products/gone',
      '/nowhere',
      '/products/laddu/more',
      'laddu',
      '#x',
      '/api/blog'
    ]
    for (const href of [...linked, '/products/laddu?from=blog#price', ...broken])
      expect(isLinked(href), href).toBe(!broken.includes(href))
    expect(renderMarkdown('[words](/products/gone)', address => isShopPage(address, pages))).toBe(
      '<p>words</p>\n'
    )
  })
})
