import { marked } from 'marked'
import sanitize from 'sanitize-html'

const ALLOWED: sanitize.IOptions = {
  allowedTags: [
    ...['h2', 'h3', 'h4', 'p', 'ul', 'ol', 'li', 'blockquote', 'hr', 'br', 'a', 'strong', 'em', 'del', 'code', 'pre'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td']
  ],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  transformTags: {
    // The page has its own first heading.
    h1: 'h2',
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener' } })
  }
}

/** Markdown as HTML that is safe to put into a page: only the marks of a text, no script, style or picture. */
export function renderMarkdown(text: string): string {
  return sanitize(marked.parse(text, { async: false }), ALLOWED)
}
