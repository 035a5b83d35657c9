import { describe, expect, test } from 'vitest'
import { applyFormat, type MarkdownFormat } from '#lib/admin/markdown-format.ts'

/** In `typed` and in the result, `[` and `]` mark the start and the end of the selection. */
function pressButton(mark: MarkdownFormat, typed: string) {
  const [start, end] = [typed.indexOf('['), typed.lastIndexOf(']') - 1]
  const text = typed.replace('[', '').replace(/\](?=[^\]]*$)/, '')
  const { from, to, text: inserted, select } = applyFormat(mark, text, start, end)
  const result = text.slice(0, from) + inserted + text.slice(to)
  return `${result.slice(0, select[0])}[${result.slice(select[0], select[1])}]${result.slice(select[1])}`
}

describe('Markdown toolbar', () => {
  test.for([
    ['bold', 'a [pot] boils', 'a **[pot]** boils'],
    ['bold', 'a **[pot]** boils', 'a [pot] boils'],
    ['bold', 'a [pot ]boils', 'a **[pot]** boils'],
    ['bold', 'a []', 'a **[text]**'],
    ['bold', 'a ***[pot]***', 'a *[pot]*'],
    ['heading', 'one\nt[]wo\nthree', 'one\n## two[]\nthree'],
    ['heading', 'one\n## t[]wo', 'one\ntwo[]'],
    ['list', '[one\ntwo]\nthree', '[- one\n- two]\nthree'],
    ['numbers', '[- one\n- two]', '[1. one\n2. two]'],
    ['quote', 'sa[]id', '> said[]']
  ] as const)('%s turns %j into %j', ([mark, before, after]) =>
    expect(pressButton(mark, before)).toBe(after)
  )

  test('the link button selects the missing part: the URL of a linked text, or the text of a linked URL', () => {
    expect(applyFormat('link', 'our pots', 4, 8)).toEqual({
      from: 4,
      to: 8,
      text: '[pots](https://)',
      select: [11, 19]
    })
    expect(applyFormat('link', '/products', 0, 9)).toEqual({
      from: 0,
      to: 9,
      text: '[text](/products)',
      select: [1, 5]
    })
  })
})
