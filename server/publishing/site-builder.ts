import { cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HOUR, MINUTE } from '#lib/time.ts'
import type { Environment } from '../config.ts'
import { runNode } from '../platform/process/child-process.ts'

export interface BuildRequest {
  outDir: string
  siteUrl: string
  publicApiBase: string
  signal: AbortSignal
}

export interface SiteBuilder {
  build(request: BuildRequest): Promise<void>
}

export class BuildError extends Error {
  override readonly name = 'BuildError'
  readonly output: string

  constructor(message: string, output: string) {
    super(message)
    this.output = output
  }
}

const BUILD_TIMEOUT = 15 * MINUTE
/** Only these variables are passed to child processes, because others may contain secrets. */
const PASSED_VARIABLES = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS']

export function createSiteBuilder(root: string, env: Environment): SiteBuilder {
  return {
    async build({ outDir, siteUrl, publicApiBase, signal }) {
      signal.throwIfAborted()
      // Astro needs an output folder inside the project.
      const folder = await createBuildFolder(root)
      try {
        await run(root, signal, {
          ...toChildEnvironment(env),
          NODE_ENV: 'production',
          ASTRO_TELEMETRY_DISABLED: '1',
          FORCE_COLOR: '0',
          RENDERER: '1',
          SITE_URL: siteUrl,
          PUBLIC_API_BASE: publicApiBase,
          OUT_DIR: folder
        })
        await move(folder, outDir)
      } finally {
        await rm(dirname(folder), { recursive: true, force: true })
      }
    }
  }
}

export function toChildEnvironment(env: Environment): Environment {
  return Object.fromEntries(PASSED_VARIABLES.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
}

async function run(root: string, signal: AbortSignal, env: Environment): Promise<void> {
  const timeout = AbortSignal.timeout(BUILD_TIMEOUT)
  const { exit, output } = await runNode([join(root, 'node_modules', 'astro', 'astro.js'), 'build', '--root', root], {
    cwd: root,
    env,
    signal: AbortSignal.any([signal, timeout])
  })
  signal.throwIfAborted()
  if (timeout.aborted) throw new BuildError(`astro build took longer than ${BUILD_TIMEOUT / MINUTE} minutes`, output)
  if (exit !== '0') throw new BuildError(`astro build failed (${exit}): ${findFailureReason(output)}`, output)
}

export function findFailureReason(output: string): string {
  const lines = output.split('\n').map(cleanLine).filter(Boolean)
  const stackIndex = lines.findIndex(line => line.startsWith('Stack trace:'))
  const endIndex = stackIndex > 0 ? stackIndex : lines.length
  const errorIndex = lines.slice(0, endIndex).findLastIndex(line => line.startsWith('[ERROR]'))
  return (
    lines
      .slice(errorIndex < 0 ? endIndex - 1 : errorIndex, endIndex)
      .slice(0, 3)
      .join(' ')
      .slice(0, 400) || 'no output'
  )
}

function cleanLine(line: string): string {
  return line
    .replace(/^\s*\d\d:\d\d:\d\d\s/, '')
    .replace(/^\s*[├└]─\s*/, '')
    .replace(/\.html(?=\S)/, '.html: ')
    .trim()
}

async function createBuildFolder(root: string): Promise<string> {
  const parent = join(root, 'node_modules', '.cache', 'palagaram')
  await mkdir(parent, { recursive: true })
  for (const name of await readdir(parent)) {
    const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < Date.now() - HOUR) await rm(join(parent, name), { recursive: true, force: true })
  }
  const folder = join(await mkdtemp(join(parent, 'build-')), 'site')
  await mkdir(folder)
  return folder
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rm(to, { recursive: true, force: true })
    await rename(from, to)
  } catch (error) {
    // `rename` fails if DATA_DIR is on another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await cp(from, to, { recursive: true })
  }
}
