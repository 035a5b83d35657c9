import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MUTANTS } from './mutants/list.ts'

describe.for(MUTANTS)('the guard without which $name', ({ patches }) => {
  test('is still where the list of mutants takes it away', () => {
    for (const { file, from } of patches)
      expect(readFileSync(file, 'utf8').split(from), `${file}: ${from}`).toHaveLength(2)
  })
})
