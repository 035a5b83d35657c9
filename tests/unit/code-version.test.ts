import { expect, test } from 'vitest'
import { codeVersion } from '#server/release/code-version.ts'
import { dataFolder, writeSite } from '../support/releases.ts'

const PROJECT = {
  'src/pages/index.astro': '<h1>Home</h1>',
  'public/robots.txt': 'User-agent: *',
  'server/release/csp.ts': '// the policy',
  'server/renderer.ts': '// the process that publishes',
  'server/progress.ts': '// its words',
  'server/app.ts': '// the calls',
  'tailwind.islands.config.mjs': '// colours',
  'package-lock.json': '{}',
  'README.md': '# Shop'
}

test.for([
  'src/pages/index.astro',
  'public/robots.txt',
  'server/release/csp.ts',
  'tailwind.islands.config.mjs',
  'package-lock.json'
])('a release is made by %s: another content is another version', async name => {
  const root = await dataFolder()
  await writeSite(root, PROJECT)
  const before = await codeVersion(root)
  expect(await codeVersion(root)).toBe(before)
  await writeSite(root, { [name]: 'changed' })
  expect(await codeVersion(root)).not.toBe(before)
})

test('a new file is another version, a change of what makes no page is not', async () => {
  const root = await dataFolder()
  await writeSite(root, PROJECT)
  const before = await codeVersion(root)
  await writeSite(root, { 'server/app.ts': 'changed', 'README.md': 'changed', 'data/shop.db': 'changed' })
  expect(await codeVersion(root)).toBe(before)
  await writeSite(root, { 'src/pages/new.astro': '' })
  expect(await codeVersion(root)).not.toBe(before)
})
