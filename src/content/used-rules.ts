/** A rule of a sheet, or what opens or closes a group of them; `needs` lists the classes that each of its selectors names. */
interface Part {
  css: string
  needs: readonly (readonly string[])[]
}

const PART = /\}|\s*@[^{};]+\{(?=[^{}]*\{)|[^{}]+\{[^{}]*\}/g
const CLASS = /\.((?:\\.|[\w-])+)/g
const SPLIT = /(?<!\\),/
const EMPTY_GROUP = /@[^{}]+\{\}/g
/** A selector of which a page may have some classes and not others. */
const COMPOUND = /:(not|is|where|has)\(/

const sheets = new Map<string, readonly Part[]>()

/**
 * The rules of a minified sheet that elements with these classes may come under; what names no class stays. The sheet
 * that all pages share is inside each of them, and each needs two thirds of it. Throws when it can't read the sheet.
 */
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
  if (parts.join('') !== sheet.trim()) throw new Error('A sheet has rules in a form that is not known here')
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

/** The classes of a page's elements. */
export function classesIn(page: string): Set<string> {
  const lists = [...page.matchAll(ATTRIBUTE)].map(([, list = '']) =>
    list.replaceAll('&#38;', '&').replaceAll('&#34;', '"')
  )
  return new Set(lists.join(' ').split(/\s+/))
}
