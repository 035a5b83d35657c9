import { execFile, type ExecFileException } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { MINUTE } from '#lib/time.ts'
import { ROOT } from '#server/config.ts'
import { BuildError, createSiteBuilder, type BuildRequest } from '#server/publishing/site-code.ts'
import { writeSite } from '../support/test-publisher.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const WRITE_ENV = `
  import { mkdirSync, writeFileSync } from 'node:fs'
  mkdirSync(process.env.OUT_DIR, { recursive: true })
  writeFileSync(process.env.OUT_DIR + '/index.html', JSON.stringify(process.env))`

/** Creates a project in which the script `astro` replaces Astro. */
async function openProject(astro: string) {
  const root = await temporaryFolder()
  await writeSite(root, {
    'node_modules/astro/astro.js': astro,
    'node_modules/astro/package.json': '{"type":"module"}'
  })
  const outDir = join(await temporaryFolder(), 'code.building')
  await mkdir(outDir, { recursive: true })
  const env = {
    PATH: '/bin',
    SMTP_URL: 'smtp://shop:hunter2@mail.example',
    NODE_OPTIONS: undefined
  }
  const request = {
    outDir,
    siteUrl: 'https://shop.example',
    publicApiBase: '/api',
    hasServiceWorker: true,
    signal: new AbortController().signal
  }
  return {
    root,
    outDir,
    build: (changes: Partial<BuildRequest> = {}) =>
      createSiteBuilder(root, env).build({ ...request, ...changes })
  }
}

describe('Site build', () => {
  test('gets no secrets, writes into the project folder and moves its output to the data folder', async () => {
    const { root, build, outDir } = await openProject(WRITE_ENV)
    await build()
    const text = await readFile(join(outDir, 'index.html'), 'utf8')
    const env = JSON.parse(text) as Record<string, string>
    expect(env).toMatchObject({
      RENDERER: '1',
      SITE_URL: 'https://shop.example',
      PUBLIC_API_BASE: '/api',
      ASTRO_TELEMETRY_DISABLED: '1'
    })
    expect(text).not.toContain('hunter2')
    const builtIn = env['OUT_DIR'] ?? ''
    // Astro requires it.
    expect(builtIn.startsWith(`${root}/`)).toBe(true)
    expect(await readdir(join(builtIn, '..', '..'))).toEqual([])
    expect((await stat(outDir)).mode & 0o777).toBe(0o755)
  })

  test.for([
    [
      '05:48:29   └─ /404.htmlFailed to fetch products\n  Stack trace:\n    at page.astro',
      '/404.html: Failed to fetch products'
    ],
    [
      '[ERROR] [vite] ✗ Build failed in 4.94s\nCould not resolve "./x.ts"\n  Stack trace:\n    at rollup',
      '[ERROR] [vite] ✗ Build failed in 4.94s Could not resolve "./x.ts"'
    ]
  ] as const)('reports one line and the full output: %s', async ([output, reason]) => {
    const { build } = await openProject(`
      console.log('\\u001b[31mbuilding\\u001b[39m')
      console.error(${JSON.stringify(output)})
      process.exitCode = 1`)
    const error = await build().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BuildError)
    expect(error).toMatchObject({
      message: `astro build failed (1): ${reason}`,
      output: expect.stringMatching(/^building\n/)
    })
  })

  test('stops its process if the signal is aborted', async () => {
    const { root, build } = await openProject(`
      import { writeFileSync } from 'node:fs'
      writeFileSync(new URL('pid', import.meta.url), String(process.pid))
      setInterval(() => undefined, 1000)`)
    const controller = new AbortController()
    const pendingBuild = build({ signal: controller.signal })
    const file = join(root, 'node_modules/astro/pid')
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).not.toBe('')
    const pid = Number(await readFile(file, 'utf8'))
    controller.abort(new Error('The shop is shutting down'))
    await expect(pendingBuild).rejects.toThrow('The shop is shutting down')
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  })
})

describe('npm run build', () => {
  test('names BUILD_API_BASE and builds nothing if there is no server at that address', async () => {
    const { output, files } = await buildForHost('http://127.0.0.1:1/api')
    expect(output).toContain('BUILD_API_BASE=http://127.0.0.1:1/api')
    expect(files).toEqual([])
  })

  test(
    'leaves no server modules if the API fails during the build',
    async () => {
      let calls = 0
      const server = createServer((_request, response) => {
        const isFirst = calls++ === 0
        response
          .writeHead(isFirst ? 200 : 503, { 'content-type': 'application/json' })
          .end(isFirst ? '{"checkoutUrl":"/checkout.js"}' : '{}')
      })
      await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
      onTestFinished(() => void server.close())
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
      const { files } = await buildForHost(base)
      expect(calls).toBeGreaterThan(1)
      expect(files).toEqual([])
    },
    4 * MINUTE
  )
})

/** Runs a build that must fail. */
async function buildForHost(apiBase: string): Promise<{ output: string; files: string[] }> {
  await mkdir(join(ROOT, 'node_modules/.cache'), { recursive: true })
  const outDir = await mkdtemp(join(ROOT, 'node_modules/.cache/palagaram-host-'))
  onTestFinished(() => rm(outDir, { recursive: true, force: true }))
  const { PATH, HOME } = process.env
  const env = {
    PATH,
    HOME,
    ASTRO_TELEMETRY_DISABLED: '1',
    BUILD_API_BASE: apiBase,
    OUT_DIR: outDir
  }
  const build = promisify(execFile)(process.execPath, ['node_modules/astro/astro.js', 'build'], {
    cwd: ROOT,
    env
  })
  const error = (await build.catch((thrown: unknown) => thrown)) as ExecFileException
  expect(error.code).toBe(1)
  return { output: `${error.stdout}${error.stderr}`, files: await readdir(outDir) }
}
