import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { BuildError, createSiteBuilder, type BuildRequest } from '#server/publishing/site-code.ts'
import { writeSite } from '../support/releases.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const WRITE_ENV = `
  import { mkdirSync, writeFileSync } from 'node:fs'
  mkdirSync(process.env.OUT_DIR, { recursive: true })
  writeFileSync(process.env.OUT_DIR + '/index.html', JSON.stringify(process.env))`

interface Project {
  root: string
  build(changes?: Partial<BuildRequest>): Promise<void>
  outDir: string
}

/** Creates a project in which the script `astro` replaces Astro. */
async function openProject(astro: string): Promise<Project> {
  const root = await temporaryFolder()
  await writeSite(root, {
    'node_modules/astro/astro.js': astro,
    'node_modules/astro/package.json': '{"type":"module"}'
  })
  const outDir = join(await temporaryFolder(), 'code.building')
  await mkdir(outDir, { recursive: true })
  const env = { PATH: '/bin', SMTP_URL: 'smtp://shop:hunter2@mail.example', NODE_OPTIONS: undefined }
  const request = {
    outDir,
    siteUrl: 'https://shop.example',
    publicApiBase: '/api',
    signal: new AbortController().signal
  }
  return { root, outDir, build: changes => createSiteBuilder(root, env).build({ ...request, ...changes }) }
}

describe('Site build', () => {
  test('gets the environment variables it needs and no secrets', async () => {
    const { build, outDir } = await openProject(WRITE_ENV)
    await build()
    const env = await readFile(join(outDir, 'index.html'), 'utf8')
    expect(JSON.parse(env)).toMatchObject({
      RENDERER: '1',
      SITE_URL: 'https://shop.example',
      PUBLIC_API_BASE: '/api',
      ASTRO_TELEMETRY_DISABLED: '1'
    })
    expect(env).not.toContain('hunter2')
  })

  test('writes into the project folder, as Astro requires, and then moves its output to the data folder', async () => {
    const { root, build, outDir } = await openProject(WRITE_ENV)
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
  ] as const)(
    'puts one line in the error message and the full output in a separate field: %s',
    async ([output, reason]) => {
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
    }
  )

  test('fails with the name of the signal if the process is killed without output', async () => {
    const { build } = await openProject('process.kill(process.pid, "SIGKILL")')
    await expect(build()).rejects.toThrow('astro build failed (SIGKILL): no output')
  })

  test('stops its process if the signal is aborted', async () => {
    const { root, build } = await openProject(`
      import { writeFileSync } from 'node:fs'
      writeFileSync(new URL('pid', import.meta.url), String(process.pid))
      setInterval(() => undefined, 1000)`)
    const controller = new AbortController()
    const pendingBuild = build({ signal: controller.signal })
    const pid = await readPid(join(root, 'node_modules/astro/pid'))
    controller.abort(new Error('The shop is shutting down'))
    await expect(pendingBuild).rejects.toThrow('The shop is shutting down')
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'))
  })

  test('does not start if the signal is already aborted', async () => {
    const { build, outDir } = await openProject(WRITE_ENV)
    await expect(build({ signal: AbortSignal.abort(new Error('Aborted')) })).rejects.toThrow('Aborted')
    expect(await readdir(outDir)).toEqual([])
  })
})

async function readPid(file: string): Promise<number> {
  for (;;) {
    const pid = Number(await readFile(file, 'utf8').catch(() => ''))
    if (pid > 0) return pid
    await sleep(20)
  }
}
