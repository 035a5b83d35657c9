import { Marked } from 'marked'
import sanitize from 'sanitize-html'

// HTML means nothing here: what looks like it is text, and shown as it was typed.
const nothing = (): undefined => undefined
const markdown = new Marked({ tokenizer: { html: nothing, tag: nothing } })

const RULES: sanitize.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'p', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br', 'a', 'strong', 'em', 'del', 'code', 'pre'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td']
  ],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  transformTags: {
    // The page has its own first heading.
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener' } })
  }
}
const ELSEWHERE = /^(?:https?|mailto|tel):/i

/**
 * Markdown as HTML that is safe to put into a page: only the marks of a text, no script, style or picture. Published pages
 * and the owner's preview are both made by it. Of a link that leads nowhere the words stay; `isPage` says of an address of
 * this site whether there is a page.
 */
export function renderMarkdown(text: string, isPage: (path: string) => boolean = () => true): string {
  const leads = (href = ''): boolean => ELSEWHERE.test(href) || (/^\/(?![/\\])/.test(href) && isPage(href))
  return sanitize(markdown.parse(text, { async: false }), {
    ...RULES,
    exclusiveFilter: ({ tag, attribs }) => (tag === 'a' && !leads(attribs['href']) ? 'excludeTag' : false)
  })
}
