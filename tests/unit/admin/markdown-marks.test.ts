import { describe, expect, test } from 'vitest'
import { edit, type Mark } from '#lib/admin/markdown-marks.ts'

/** A text in which `[` and `]` say what is selected, before and after a button is pressed. */
function pressed(mark: Mark, typed: string): string {
  const [start, end] = [typed.indexOf('['), typed.lastIndexOf(']') - 1]
  const text = typed.replace('[', '').replace(/\](?=[^\]]*$)/, '')
  const { from, to, text: made, select } = edit(mark, text, start, end)
  const whole = text.slice(0, from) + made + text.slice(to)
  return `${whole.slice(0, select[0])}[${whole.slice(select[0], select[1])}]${whole.slice(select[1])}`
}

describe('the buttons above a text in Markdown', () => {
  test.for([
    ['bold', 'a [pot] boils', 'a **[pot]** boils'],
    ['bold', 'a **[pot]** boils', 'a [pot] boils'],
    ['bold', 'a [pot ]boils', 'a **[pot]** boils'],
    ['bold', 'a []', 'a **[words]**'],
    ['italic', 'a [pot]', 'a *[pot]*'],
    ['italic', 'a *[pot]*', 'a [pot]'],
    ['italic', 'a **[pot]**', 'a ***[pot]***'],
    ['bold', 'a ***[pot]***', 'a *[pot]*'],
    ['italic', 'a ***[pot]***', 'a **[pot]**']
  ] as const)('%s of %j makes %j', ([mark, before, after]) => expect(pressed(mark, before)).toBe(after))

  test.for([
    ['heading', 'one\nt[]wo\nthree', 'one\n## two[]\nthree'],
    ['heading', 'one\n## t[]wo', 'one\ntwo[]'],
    ['heading', '', '## []'],
    ['list', '[one\ntwo]\nthree', '[- one\n- two]\nthree'],
    ['list', '[- one\n- two]', '[one\ntwo]'],
    ['list', '[one\ntwo\n]three', '[- one\n- two]\nthree'],
    ['numbers', '[- one\n- two]', '[1. one\n2. two]'],
    ['quote', 'sa[]id', '> said[]']
  ] as const)('%s of %j makes %j', ([mark, before, after]) =>
    expect(pressed(mark, before === '' ? '[]' : before)).toBe(after)
  )

  test('a link wants its address, and an address its words', () => {
    expect(edit('link', 'our pots', 4, 8)).toEqual({ from: 4, to: 8, text: '[pots](https://)', select: [11, 19] })
    expect(edit('link', '/products', 0, 9)).toEqual({ from: 0, to: 9, text: '[words](/products)', select: [1, 6] })
  })
})
