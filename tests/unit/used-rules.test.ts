import { describe, expect, test } from 'vitest'
import { classesIn, usedRules } from '#content/used-rules.ts'

const used = (sheet: string, ...classes: string[]): string => usedRules(sheet, new Set(classes))

describe('of a sheet a page keeps', () => {
  test('the rules of its classes, and no others', () => {
    expect(used('.card{color:red}.link{color:blue}', 'card')).toBe('.card{color:red}')
  })

  test('whatever names no class', () => {
    const sheet = '*,:before{margin:0}html{color:red}[hidden]{display:none!important}@font-face{src:url(a.woff2)}'
    expect(used(sheet)).toBe(sheet)
  })

  test.for([
    ['.group:hover .group-hover\\:red', ['group', 'group-hover:red'], ['group']],
    ['.min-h-\\[min\\(100svh\\,35rem\\)\\]', ['min-h-[min(100svh,35rem)]'], ['min-h-[min(100svh']],
    ['.card,.field', ['field'], ['link']],
    ['.\\[\\&\\>iframe\\]\\:h-full>iframe', ['[&>iframe]:h-full'], ['h-full']],
    ['.mt-0\\.5', ['mt-0.5'], ['mt-0']]
  ] as const)('%s where all of one of its selectors is there', ([selector, enough, tooLittle]) => {
    const rule = `${selector}{color:red}`
    expect(used(rule, ...enough)).toBe(rule)
    expect(used(rule, ...tooLittle)).toBe('')
  })

  test('a rule that speaks of elements which lack a class', () => {
    const rule = '.card:not(.flat){color:red}'
    expect(used(rule, 'card')).toBe(rule)
  })

  test('of a group what it uses, and no empty group', () => {
    const sheet = '@media(min-width:640px){.card{color:red}.link{color:blue}}@media(min-width:1024px){.link{color:red}}'
    expect(used(sheet, 'card')).toBe('@media(min-width:640px){.card{color:red}}')
  })

  test('its moving pictures, and what is joined to it', () => {
    const sheet = '@media print{p{color:red}}\n@keyframes toast{0%{opacity:0}to{opacity:1}}\np{color:blue}'
    expect(used(sheet)).toBe(sheet)
  })
})

test('a sheet that can not be read is told of, not cut', () => {
  expect(() => used('.card{color:red}@import "more.css";')).toThrow('not supported')
})

test('the classes of a page are those of all its elements, as they are meant', () => {
  const page =
    '<p class="card  [&#38;>a]:underline"><template><b class="after:content-[&#34;x&#34;]"></b></template></p>'
  expect(classesIn(page)).toEqual(new Set(['card', '[&>a]:underline', 'after:content-["x"]']))
})
