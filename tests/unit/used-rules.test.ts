import { describe, expect, test } from 'vitest'
import { findClasses, removeUnusedRules } from '#content/used-rules.ts'

const prune = (sheet: string, ...classes: string[]): string => removeUnusedRules(sheet, new Set(classes))

describe('CSS pruning for a page', () => {
  test('removes rules for classes that the page does not use', () => {
    expect(prune('.card{color:red}.link{color:blue}', 'card')).toBe('.card{color:red}')
  })

  test('keeps rules without classes', () => {
    const sheet = '*,:before{margin:0}html{color:red}[hidden]{display:none!important}@font-face{src:url(a.woff2)}'
    expect(prune(sheet)).toBe(sheet)
  })

  test.for([
    ['.group:hover .group-hover\\:red', ['group', 'group-hover:red'], ['group']],
    ['.min-h-\\[min\\(100svh\\,35rem\\)\\]', ['min-h-[min(100svh,35rem)]'], ['min-h-[min(100svh']],
    ['.card,.field', ['field'], ['link']],
    ['.\\[\\&\\>iframe\\]\\:h-full>iframe', ['[&>iframe]:h-full'], ['h-full']],
    ['.mt-0\\.5', ['mt-0.5'], ['mt-0']]
  ] as const)('keeps %s if all classes of at least one selector are used', ([selector, usedClasses, tooFewClasses]) => {
    const rule = `${selector}{color:red}`
    expect(prune(rule, ...usedClasses)).toBe(rule)
    expect(prune(rule, ...tooFewClasses)).toBe('')
  })

  test('keeps .card:not(.flat) even if the page does not use the class flat', () => {
    const rule = '.card:not(.flat){color:red}'
    expect(prune(rule, 'card')).toBe(rule)
  })

  test('keeps the used rules of a media query and removes empty media queries', () => {
    const sheet = '@media(min-width:640px){.card{color:red}.link{color:blue}}@media(min-width:1024px){.link{color:red}}'
    expect(prune(sheet, 'card')).toBe('@media(min-width:640px){.card{color:red}}')
  })

  test('keeps animations and print styles', () => {
    const sheet = '@media print{p{color:red}}\n@keyframes toast{0%{opacity:0}to{opacity:1}}\np{color:blue}'
    expect(prune(sheet)).toBe(sheet)
  })
})

test('a stylesheet with unsupported rules throws', () => {
  expect(() => prune('.card{color:red}@import "more.css";')).toThrow('not supported')
})

test('the classes of all elements of a page are found and unescaped', () => {
  const page =
    '<p class="card  [&#38;>a]:underline"><template><b class="after:content-[&#34;x&#34;]"></b></template></p>'
  expect(findClasses(page)).toEqual(new Set(['card', '[&>a]:underline', 'after:content-["x"]']))
})
