import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ROOT } from '#server/config.ts'
import { BuildError, createSiteBuilder, type BuildRequest } from '#server/gateways/site-builder.ts'
import { UnfitError } from '#server/release/check.ts'
import { dataFolder, SMALL_SITE, writeSite } from '../support/releases.ts'

const WRITES_ITS_ENVIRONMENT = `
  import { mkdirSync, writeFileSync } from 'node:fs'
  mkdirSync(process.env.OUT_DIR, { recursive: true })
  writeFileSync(process.env.OUT_DIR + '/index.html', JSON.stringify(process.env))`

interface Project {
  root: string
  build(changes?: Partial<BuildRequest>): Promise<void>
  outDir: string
}

/** A project whose Astro does what the test says. */
async function openProject(astro: string, dataDir?: string): Promise<Project> {
  const root = await dataFolder()
  await writeSite(root, {
    'node_modules/astro/astro.js': astro,
    'node_modules/astro/package.json': '{"type":"module"}'
  })
  const outDir = join(dataDir ?? join(root, 'data'), 'release.building')
  await mkdir(outDir, { recursive: true })
  const env = { PATH: '/bin', SMTP_URL: 'smtp://shop:hunter2@mail.example', NODE_OPTIONS: undefined }
  const request = {
    outDir,
    apiBase: 'http://127.0.0.1:4321/api',
    siteUrl: 'https://shop.example',
    publicApiBase: '/api',
    signal: new AbortController().signal
  }
  return { root, outDir, build: changes => createSiteBuilder(root, env).build({ ...request, ...changes }) }
}

describe('a build', () => {
  test('gets what it needs of the environment, and none of its secrets', async () => {
    const { build, outDir } = await openProject(WRITES_ITS_ENVIRONMENT)
    await build()
    const env = await readFile(join(outDir, 'index.html'), 'utf8')
    expect(JSON.parse(env)).toMatchObject({
      BUILD_API_BASE: 'http://127.0.0.1:4321/api',
      SITE_URL: 'https://shop.example',
      PUBLIC_API_BASE: '/api',
      OUT_DIR: outDir,
      ASTRO_TELEMETRY_DISABLED: '1'
    })
    expect(env).not.toContain('hunter2')
  })

  test('of a data folder elsewhere is made inside the project, where pages find their packages, and moved', async () => {
    const { root, build, outDir } = await openProject(WRITES_ITS_ENVIRONMENT, await dataFolder())
    await build()
    const { OUT_DIR } = JSON.parse(await readFile(join(outDir, 'index.html'), 'utf8')) as { OUT_DIR: string }
    expect(OUT_DIR.startsWith(`${root}/`)).toBe(true)
    expect(await readdir(join(OUT_DIR, '..', '..'))).toEqual([])
    expect((await stat(outDir)).mode & 0o777).toBe(0o755)
  })

  test.for([
    [
      '05:48:29   └─ /404.htmlFailed to fetch products\n  Stack trace:\n    at page.astro',
      '/404.html: Failed to fetch products'
    ],
    [
      '05:48:34 [ERROR] [vite] ✗ Build failed in 4.94s\nCould not resolve "./x.ts"\n  Stack trace:\n    at rollup',
      '[ERROR] [vite] ✗ Build failed in 4.94s Could not resolve "./x.ts"'
    ],
    ["Error: Cannot find package 'astro'", "Error: Cannot find package 'astro'"]
  ] as const)('that fails says why in one line, and what else was said: %s', async ([said, reason]) => {
    const { build } = await openProject(`
      console.log('\\u001b[31mbuilding\\u001b[39m')
      console.error(${JSON.stringify(said)})
      process.exitCode = 1`)
    const error = await build().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BuildError)
    expect(error).toMatchObject({
      message: `astro build failed (1): ${reason}`,
      output: expect.stringMatching(/^building\n/)
    })
  })

  test('that dies without a word is a failure', async () => {
    const { build } = await openProject('process.kill(process.pid, "SIGKILL")')
    await expect(build()).rejects.toThrow('astro build failed (SIGKILL): it said nothing')
  })

  test('ends when it is told to, and leaves no process behind', async () => {
    const { build, outDir } = await openProject(`
      import { writeFileSync } from 'node:fs'
      writeFileSync(process.env.OUT_DIR + '/pid', String(process.pid))
      setInterval(() => undefined, 1000)`)
    const stop = new AbortController()
    const building = build({ signal: stop.signal })
    const pid = await pidIn(join(outDir, 'pid'))
    stop.abort(new Error('The shop closes'))
    await expect(building).rejects.toThrow('The shop closes')
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  test('is not begun when it is already told to end', async () => {
    const { build, outDir } = await openProject(WRITES_ITS_ENVIRONMENT)
    await expect(build({ signal: AbortSignal.abort(new Error('Too late')) })).rejects.toThrow('Too late')
    expect(await readdir(outDir)).toEqual([])
  })
})

describe('what was built', () => {
  const sealing = {
    id: '20261121-040000-abcdef',
    createdAt: '2026-11-21T04:00:00.000Z',
    fingerprint: 'whole',
    catalog: 'part',
    siteUrl: 'https://shop.example',
    publicApiBase: '/api',
    checkoutUrl: '/sandbox/razorpay/v1/checkout.js',
    products: [],
    assetsFolder: '/nowhere'
  }
  const { signal } = new AbortController()
  const builder = createSiteBuilder(ROOT, { PATH: process.env['PATH'] })

  test('is checked and finished in a process of its own', async () => {
    const folder = await dataFolder()
    await writeSite(folder, SMALL_SITE)
    expect(await builder.seal(folder, sealing, signal)).toEqual({ pages: 3 })
    expect(JSON.parse(await readFile(join(folder, 'release.json'), 'utf8'))).toMatchObject({ fingerprint: 'whole' })
  })

  test('is refused with the reasons when it must not be published', async () => {
    const folder = await dataFolder()
    await writeSite(folder, SMALL_SITE)
    const products = Array.from({ length: 30 }, (_, index) => `sweet-${index}`)
    const error = await builder.seal(folder, { ...sealing, products }, signal).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnfitError)
    expect(String(error)).toBe('UnfitError: the product sweet-0 has no page (and 29 more problems)')
  })

  test('that can not be read is a failure with its reason', async () => {
    const file = join(await dataFolder(), 'file')
    await writeFile(file, '')
    await expect(builder.seal(file, sealing, signal)).rejects.toThrow(/could not be checked.*ENOTDIR/)
  })
})

async function pidIn(file: string): Promise<number> {
  for (;;) {
    const pid = Number(await readFile(file, 'utf8').catch(() => ''))
    if (pid > 0) return pid
    await sleep(20)
  }
}
