import { Marked } from 'marked'
import sanitize from 'sanitize-html'
import { localPath } from '#lib/paths.ts'

/** Each emphasis searches the rest of its paragraph. This many characters take 100 ms. */
const MAX_SEARCHED = 1_500_000
let searched = 0

const limitSearch =
  (signs: string) =>
  (rest: string): false => {
    if (signs.includes(rest.charAt(0))) searched += rest.length
    if (searched > MAX_SEARCHED)
      throw new RangeError('The text has too many *, _ or ~ in one paragraph')
    return false
  }

// HTML in the Markdown source is shown as text.
const ignoreToken = (): undefined => undefined
const markdown = new Marked({
  tokenizer: {
    html: ignoreToken,
    tag: ignoreToken,
    emStrong: limitSearch('*_'),
    del: limitSearch('~')
  }
})

const BLOCK_TAGS = ['h2', 'h3', 'h4', 'p', 'ul', 'ol', 'li', 'blockquote', 'hr', 'pre']
const TABLE_TAGS = ['table', 'thead', 'tbody', 'tr', 'th', 'td']
const INLINE_TAGS = ['br', 'a', 'strong', 'em', 'del', 'code']
const RULES: sanitize.IOptions = {
  allowedTags: [...BLOCK_TAGS, ...TABLE_TAGS, ...INLINE_TAGS],
  allowedAttributes: { a: ['href', 'rel'] },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  transformTags: {
    // The page's title is already an h1.
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    a: (tagName, { href = '', ...attribs }) => ({
      tagName,
      attribs: { ...attribs, href: href.startsWith('/') ? localPath(href) : href, rel: 'noopener' }
    })
  }
}
/** Deeper nesting could exhaust the stack. */
const MAX_DEPTH = 100
/** Parsing a line that opens many quotes or lists takes quadratic time. */
const DEEP_LINE = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t])){50}/m
const EXTERNAL_LINK = /^(?:https?|mailto|tel):/i

/** Link targets that are no page become plain text. Throws RangeError for a bad text. */
export function renderMarkdown(
  text: string,
  isPage: (path: string) => boolean = () => true
): string {
  const isValidLink = (href = '') =>
    EXTERNAL_LINK.test(href) || (/^\/(?![/\\])/.test(href) && isPage(href))
  if (DEEP_LINE.test(text)) throw new RangeError('The text is nested too deeply')
  let depth = 0
  searched = 0
  return sanitize(markdown.parse(text, { async: false }), {
    ...RULES,
    onOpenTag() {
      if (++depth > MAX_DEPTH)
        throw new RangeError(`The text is nested more than ${MAX_DEPTH} levels deep`)
    },
    onCloseTag: () => void depth--,
    exclusiveFilter: ({ tag, attribs }) =>
      tag === 'a' && !isValidLink(attribs['href']) ? 'excludeTag' : false
  })
}
