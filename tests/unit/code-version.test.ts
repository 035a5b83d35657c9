import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { hashCode } from '#server/publishing/plan.ts'
import { codeVersion } from '#server/publishing/site-code.ts'
import { writeSite } from '../support/releases.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROJECT = {
  'src/pages/index.astro': '<h1>Home</h1>',
  'public/robots.txt': 'User-agent: *',
  'server/publishing/release/headers.ts': '// the policy',
  'server/publishing/renderer.ts': '// the publisher',
  'server/platform/process/command.ts': '// progress output',
  'server/platform/process/worker-process.ts': '// the tasks',
  'server/platform/storage/files.ts': '// files',
  'server/app.ts': '// the API',
  'tailwind.islands.config.mjs': '// colours',
  'package-lock.json': '{}',
  'README.md': '# Shop'
}

test.for([
  'src/pages/index.astro',
  'public/robots.txt',
  'server/publishing/release/headers.ts',
  'tailwind.islands.config.mjs',
  'package-lock.json'
])('the code version changes if %s changes', async name => {
  const root = await temporaryFolder()
  await writeSite(root, PROJECT)
  const originalVersion = await codeVersion(root)
  expect(await codeVersion(root)).toBe(originalVersion)
  await writeSite(root, { [name]: 'changed' })
  expect(await codeVersion(root)).not.toBe(originalVersion)
})

test('the code version depends on new pages, but not on files that no page uses', async () => {
  const root = await temporaryFolder()
  await writeSite(root, PROJECT)
  const originalVersion = await codeVersion(root)
  await writeSite(root, {
    'server/app.ts': 'changed',
    'README.md': 'changed',
    'data/shop.db': 'changed'
  })
  expect(await codeVersion(root)).toBe(originalVersion)
  await writeSite(root, { 'src/pages/new.astro': '' })
  expect(await codeVersion(root)).not.toBe(originalVersion)
})

test('two nodes with the same code and settings have the same code hash, wherever their folders are', async () => {
  const hashes = new Set<string>()
  for (const settings of [{}, {}, { SITE_URL: 'https://other.example' }]) {
    const root = await temporaryFolder()
    await writeSite(root, PROJECT)
    const env = {
      SANDBOX: 'true',
      SITE_URL: 'https://shop.example',
      PORT: String(4321 + hashes.size),
      DATA_DIR: root,
      ...settings
    }
    hashes.add(await hashCode({ version: () => codeVersion(root), config: readConfig(env) }))
  }
  expect(hashes.size).toBe(2)
})
