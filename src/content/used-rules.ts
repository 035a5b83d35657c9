/** A CSS rule, or the first or last line of a group such as `@media`. */
interface Part {
  css: string
  classLists: readonly (readonly string[])[]
}

const PART_PATTERN = /\}|\s*@[^{};]+\{(?=[^{}]*\{)|[^{}]+\{[^{}]*\}/g
const CLASS_PATTERN = /\.((?:\\.|[\w-])+)/g
const SELECTOR_SEPARATOR = /(?<!\\),/
const EMPTY_GROUP_PATTERN = /@[^{}]+\{\}/g
/** For example, `.a:not(.b)` matches elements without class b. Rules with these pseudo-classes are always kept. */
const FUNCTIONAL_PSEUDO_CLASS = /:(not|is|where|has)\(/

const parsedSheets = new Map<string, readonly Part[]>()

/**
 * Removes a rule if each of its selectors contains a class that is not in `classes`. The style sheet must be minified.
 */
export function removeUnusedRules(sheet: string, classes: ReadonlySet<string>): string {
  const parts = parsedSheets.get(sheet) ?? parseParts(sheet)
  parsedSheets.set(sheet, parts)
  return parts
    .filter(
      ({ classLists: needs }) => needs.length === 0 || needs.some(names => names.every(name => classes.has(name)))
    )
    .map(({ css }) => css)
    .join('')
    .replace(EMPTY_GROUP_PATTERN, '')
}

function parseParts(sheet: string): Part[] {
  const parts = sheet.trim().match(PART_PATTERN) ?? []
  if (parts.join('') !== sheet.trim()) throw new Error('The style sheet contains a CSS rule that is not supported')
  return parts.map(toPart)
}

function toPart(css: string): Part {
  const selectors = css.slice(0, css.indexOf('{'))
  if (css === '}' || css.trimStart().startsWith('@') || FUNCTIONAL_PSEUDO_CLASS.test(selectors))
    return { css, classLists: [] }
  return { css, classLists: selectors.split(SELECTOR_SEPARATOR).map(findSelectorClasses) }
}

function findSelectorClasses(selector: string): string[] {
  return [...selector.matchAll(CLASS_PATTERN)].map(([, name = '']) => name.replaceAll(/\\(.)/g, '$1'))
}

const CLASS_ATTRIBUTE = / class="([^"]*)"/g

export function findClasses(page: string): Set<string> {
  const lists = [...page.matchAll(CLASS_ATTRIBUTE)].map(([, list = '']) =>
    list.replaceAll('&#38;', '&').replaceAll('&#34;', '"')
  )
  return new Set(lists.join(' ').split(/\s+/))
}
