import { execFile, type ExecFileException } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify, stripVTControlCharacters } from 'node:util'
import { HOUR, MINUTE } from '#lib/time.ts'
import { ROOT, type Environment } from '../config.ts'
import { withLock } from '../platform/process/jobs.ts'
import { withProgress } from '../platform/process/command.ts'
import { deleteOldFiles, flush, listFiles } from '../platform/storage/files.ts'
import type { PublishDeps, PublishOptions } from './publish.ts'

export interface BuildRequest {
  outDir: string
  siteUrl: string
  publicApiBase: string
  hasServiceWorker: boolean
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

export interface CodeStore {
  find(version: string): Promise<string | undefined>
  begin(version: string): Promise<string>
  complete(version: string): Promise<string>
}

const BUILD_TIMEOUT = 15 * MINUTE
const MAX_OUTPUT = 32 * 1024 * 1024
/** Only these variables are passed to child processes, because others may contain secrets. */
const PASSED_VARIABLES = /^(?:PATH|HOME|LANG|TMPDIR|TEMP|TMP|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)$/
const BUILDING = '.building'
const FOLDERS = ['src', 'public', 'server/publishing/release']
const FILES = [
  'server/publishing/renderer.ts',
  'server/platform/language.ts',
  'server/platform/process/command.ts',
  'server/platform/process/worker-process.ts',
  'server/platform/storage/files.ts'
]
const CONFIG_FILES = /^(?:(?:astro|tailwind)\b.*\.(?:mjs|js|ts)|tsconfig\.json|package-lock\.json)$/

export function createSiteBuilder(root: string, env: Environment): SiteBuilder {
  return {
    async build({ outDir, siteUrl, publicApiBase, hasServiceWorker, signal }) {
      signal.throwIfAborted()
      // Astro needs an output folder inside the project.
      const folder = await createBuildFolder(root)
      try {
        await runAstroBuild(root, signal, {
          ...toChildEnvironment(env),
          NODE_ENV: 'production',
          ASTRO_TELEMETRY_DISABLED: '1',
          FORCE_COLOR: '0',
          RENDERER: '1',
          SITE_URL: siteUrl,
          PUBLIC_API_BASE: publicApiBase,
          SERVICE_WORKER: hasServiceWorker ? 'on' : 'off',
          OUT_DIR: folder
        })
        await move(folder, outDir)
        await linkPackages(outDir, root)
      } finally {
        await rm(dirname(folder), { recursive: true, force: true })
      }
    }
  }
}

export function toChildEnvironment(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([name]) => PASSED_VARIABLES.test(name)))
}

async function runAstroBuild(root: string, signal: AbortSignal, env: Environment) {
  const astro = join(root, 'node_modules', 'astro', 'astro.js')
  const options = {
    cwd: root,
    env,
    signal,
    timeout: BUILD_TIMEOUT,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT
  } as const
  try {
    await promisify(execFile)(process.execPath, [astro, 'build', '--root', root], options)
  } catch (error) {
    signal.throwIfAborted()
    const { stdout, stderr, code, killed, signal: killedBy } = error as ExecFileException
    const output = stripVTControlCharacters(`${stdout}${stderr}`).trim()
    const problem = killed
      ? `took longer than ${BUILD_TIMEOUT / MINUTE} minutes`
      : `failed (${killedBy ?? code}): ${findFailureReason(output)}`
    throw new BuildError(`astro build ${problem}`, output)
  }
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

function cleanLine(line: string) {
  return line
    .replace(/^\s*\d\d:\d\d:\d\d\s/, '')
    .replace(/^\s*[├└]─\s*/, '')
    .replace(/\.html(?=\S)/, '.html: ')
    .trim()
}

async function createBuildFolder(root: string) {
  const parent = join(root, 'node_modules', '.cache', 'palagaram')
  await mkdir(parent, { recursive: true })
  await deleteOldFiles(parent, { prefix: 'build-', age: HOUR })
  const folder = join(await mkdtemp(join(parent, 'build-')), 'site')
  await mkdir(folder)
  return folder
}

async function move(from: string, to: string) {
  try {
    await rm(to, { recursive: true, force: true })
    await rename(from, to)
  } catch (error) {
    // `rename` fails if DATA_DIR is on another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await cp(from, to, { recursive: true })
  }
}

export function rendererFile(folder: string): string {
  return join(folder, 'server', 'renderer.mjs')
}

export function clientFolder(folder: string): string {
  return join(folder, 'client')
}

export function createCodeStore(dataDir: string, root: string): CodeStore {
  const versions = join(dataDir, 'code')
  const folder = (version: string) => join(versions, version)

  return {
    async find(version) {
      const built = folder(version)
      if (!existsSync(rendererFile(built))) return undefined
      await linkPackages(built, root)
      return built
    },
    async begin(version) {
      const building = folder(version) + BUILDING
      await rm(building, { recursive: true, force: true })
      await mkdir(building, { recursive: true })
      return building
    },
    async complete(version) {
      await rm(folder(version), { recursive: true, force: true })
      await rename(folder(version) + BUILDING, folder(version))
      await flush(versions)
      const others = (await readdir(versions)).filter(name => name !== version)
      await Promise.all(others.map(name => rm(folder(name), { recursive: true, force: true })))
      return folder(version)
    }
  }
}

/** Otherwise, Node would not find the project's packages if DATA_DIR is outside the project. */
async function linkPackages(folder: string, root: string) {
  const link = join(folder, 'node_modules')
  const modules = join(root, 'node_modules')
  if ((await readlink(link).catch(() => undefined)) === modules) return
  await rm(link, { force: true })
  await symlink(modules, link)
}

let ownVersion: Promise<string> | undefined

export function readCodeVersion(): Promise<string> {
  return (ownVersion ??= codeVersion(ROOT))
}

export async function codeVersion(root: string): Promise<string> {
  const settings = (await readdir(root)).filter(name => CONFIG_FILES.test(name)).sort()
  const listed = await Promise.all(
    FOLDERS.map(async folder =>
      (await listFiles(join(root, folder))).map(name => `${folder}/${name}`)
    )
  )
  const hash = createHash('sha256')
  for (const name of [...listed.flat(), ...FILES, ...settings]) {
    const content = await readFile(join(root, name))
    hash.update(`${name}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

export async function prepareCode(
  deps: PublishDeps,
  code: string,
  { signal, progress = () => undefined }: PublishOptions
): Promise<string> {
  const { config, builder, renderer } = deps
  const { siteUrl, publicApiBase, hasServiceWorker, dataDir } = config
  const found = await deps.code.find(code)
  if (found !== undefined) return found
  const onWait = () => progress('Waiting for another process to build the site code…')
  return withLock(`build ${hostname()} ${dataDir}`, { ...deps, signal, onWait }, async lock => {
    const built = await deps.code.find(code)
    if (built !== undefined) return built
    const outDir = await deps.code.begin(code)
    const build = builder.build({
      ...{ outDir, siteUrl, publicApiBase, hasServiceWorker },
      signal: lock.signal
    })
    await withProgress(progress, 'Building the site code…', build)
    await renderer.compressClientFiles(outDir, lock.signal)
    return deps.code.complete(code)
  })
}
