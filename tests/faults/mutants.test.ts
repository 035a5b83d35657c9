import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MUTANTS } from './mutants/list.ts'

describe.for(MUTANTS)('Mutant: $name', ({ patches }) => {
  test('each text to replace occurs exactly once in its source file', () => {
    for (const { file, from } of patches)
      expect(readFileSync(file, 'utf8').split(from), `${file}: ${from}`).toHaveLength(2)
  })
})
