import axe from 'axe-core'
import { expect } from 'vitest'

/**
 * Expects that axe finds no problem. Colours and sizes are not checked, because the window has no
 * layout.
 */
export async function expectAccessible(state: string): Promise<void> {
  const { violations } = await axe.run(document.body, {
    resultTypes: ['violations'],
    // These two are about a whole page, not an island.
    rules: {
      'color-contrast': { enabled: false },
      region: { enabled: false },
      'page-has-heading-one': { enabled: false }
    }
  })
  const findings = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id}: ${help}: ${html}`)
  )
  expect(findings, state).toEqual([])
}
