/** A CSS rule, or the start or end of a group such as `@media`. */
interface Part {
  css: string
  needs: readonly (readonly string[])[]
}

const PART = /\}|\s*@[^{};]+\{(?=[^{}]*\{)|[^{}]+\{[^{}]*\}/g
const CLASS = /\.((?:\\.|[\w-])+)/g
const SPLIT = /(?<!\\),/
const EMPTY_GROUP = /@[^{}]+\{\}/g
/** Selectors that can match although some of their classes are missing. */
const COMPOUND = /:(not|is|where|has)\(/

const sheets = new Map<string, readonly Part[]>()

/** Removes rules for missing classes from a minified style sheet. Rules without classes stay. */
export function usedRules(sheet: string, classes: ReadonlySet<string>): string {
  const parts = sheets.get(sheet) ?? partsOf(sheet)
  sheets.set(sheet, parts)
  return parts
    .filter(({ needs }) => needs.length === 0 || needs.some(all => all.every(name => classes.has(name))))
    .map(({ css }) => css)
    .join('')
    .replace(EMPTY_GROUP, '')
}

function partsOf(sheet: string): Part[] {
  const parts = sheet.trim().match(PART) ?? []
  if (parts.join('') !== sheet.trim()) throw new Error('The style sheet has a CSS rule that is not supported')
  return parts.map(part)
}

function part(css: string): Part {
  const selectors = css.slice(0, css.indexOf('{'))
  if (css === '}' || css.trimStart().startsWith('@') || COMPOUND.test(selectors)) return { css, needs: [] }
  return { css, needs: selectors.split(SPLIT).map(classesOf) }
}

function classesOf(selector: string): string[] {
  return [...selector.matchAll(CLASS)].map(([, name = '']) => name.replaceAll(/\\(.)/g, '$1'))
}

const ATTRIBUTE = / class="([^"]*)"/g

export function classesIn(page: string): Set<string> {
  const lists = [...page.matchAll(ATTRIBUTE)].map(([, list = '']) =>
    list.replaceAll('&#38;', '&').replaceAll('&#34;', '"')
  )
  return new Set(lists.join(' ').split(/\s+/))
}
