import { expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import { hashCode } from '#server/publishing/plan.ts'
import { codeVersion } from '#server/publishing/site-code.ts'
import { writeSite } from '../support/test-publisher.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROJECT = {
  'src/pages/index.astro': '<h1>Home</h1>',
  'public/robots.txt': 'User-agent: *',
  'server/publishing/release/headers.ts': '// the policy',
  'server/publishing/renderer.ts': '// the publisher',
  'server/platform/language.ts': '// texts',
  'server/platform/process/command.ts': '// progress output',
  'server/platform/process/worker-process.ts': '// the tasks',
  'server/platform/storage/files.ts': '// files',
  'tailwind.islands.config.mjs': '// colours',
  'package-lock.json': '{}'
}

test('the code version depends on every file that a page uses, and on no other', async () => {
  const root = await temporaryFolder()
  await writeSite(root, PROJECT)
  let version = await codeVersion(root)
  const others = ['server/app.ts', 'README.md', 'data/shop.db']
  for (const name of [...Object.keys(PROJECT), ...others, 'src/pages/new.astro']) {
    await writeSite(root, { [name]: 'changed' })
    const changed = await codeVersion(root)
    expect(changed === version, name).toBe(others.includes(name))
    version = changed
  }
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
