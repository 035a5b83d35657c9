import { cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { HOUR, MINUTE } from '#lib/time.ts'
import type { Environment } from '../config.ts'
import { UnfitError } from '../release/check.ts'
import type { Sealing } from '../release/seal.ts'
import { runNode } from './child-process.ts'

export interface BuildRequest {
  /** An empty folder that gets the site. */
  outDir: string
  /** Where pages read their data while they are built. */
  apiBase: string
  siteUrl: string
  publicApiBase: string
  /** Ends the build. */
  signal: AbortSignal
}

/** Makes the pages from what the API answers. */
export interface SiteBuilder {
  /** Throws BuildError, or the signal's reason when it was ended. */
  build(request: BuildRequest): Promise<void>
  /** Makes the built folder a release; see `seal`. Throws UnfitError, BuildError, or the signal's reason. */
  seal(folder: string, sealing: Sealing, signal: AbortSignal): Promise<Sealed>
}

export interface Sealed {
  pages: number
}

/** What `server/seal.ts` answers. */
export type SealResult = Sealed | { problems: readonly string[]; count: number }

/** A build that failed: the message is one line, `output` the end of what the builder said. */
export class BuildError extends Error {
  override readonly name = 'BuildError'
  readonly output: string

  constructor(message: string, output: string) {
    super(message)
    this.output = output
  }
}

const PATIENCE = 15 * MINUTE
/** What a build needs of our environment; the shop's secrets are none of its business. */
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'TMPDIR', 'TEMP', 'TMP', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS']

/** `astro build` and what follows it in processes of their own, whose memory goes with them; `root` is the folder of package.json. */
export function createSiteBuilder(root: string, env: Environment): SiteBuilder {
  const kept = Object.fromEntries(PASSED_ON.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
  return {
    async build({ outDir, apiBase, siteUrl, publicApiBase, signal }) {
      signal.throwIfAborted()
      const inside = outDir.startsWith(root + sep)
      // Astro runs the pages from where it writes them, and from outside the project they would not find their packages.
      const folder = inside ? outDir : await scratchFolder(root)
      try {
        await run(root, signal, {
          ...kept,
          NODE_ENV: 'production',
          ASTRO_TELEMETRY_DISABLED: '1',
          FORCE_COLOR: '0',
          BUILD_API_BASE: apiBase,
          SITE_URL: siteUrl,
          PUBLIC_API_BASE: publicApiBase,
          OUT_DIR: folder
        })
        if (!inside) await move(folder, outDir)
      } finally {
        if (!inside) await rm(dirname(folder), { recursive: true, force: true })
      }
    },
    async seal(folder, sealing, signal) {
      const input = JSON.stringify({ folder, sealing })
      const script = join(root, 'server', 'seal.ts')
      const { how, output } = await runNode(['--import', 'tsx', script], { cwd: root, env: kept, signal, input })
      signal.throwIfAborted()
      const result = resultIn(output)
      if (how !== '0' || !result)
        throw new BuildError(`The pages could not be checked (${how}): ${reasonIn(output)}`, output)
      if ('problems' in result) throw new UnfitError(result.problems, result.count)
      return result
    }
  }
}

/** The last line that the script said is its result. */
function resultIn(output: string): SealResult | undefined {
  try {
    return JSON.parse(output.split('\n').at(-1) ?? '') as SealResult
  } catch {
    return undefined
  }
}

async function run(root: string, signal: AbortSignal, env: Environment): Promise<void> {
  const patience = AbortSignal.timeout(PATIENCE)
  const { how, output } = await runNode([join(root, 'node_modules', 'astro', 'astro.js'), 'build', '--root', root], {
    cwd: root,
    env,
    signal: AbortSignal.any([signal, patience])
  })
  signal.throwIfAborted()
  if (patience.aborted) throw new BuildError(`astro build took longer than ${PATIENCE / MINUTE} minutes`, output)
  if (how !== '0') throw new BuildError(`astro build failed (${how}): ${reasonIn(output)}`, output)
}

/** What a build's output says of why it failed, in one line: what stands before the stack, from the error on. */
function reasonIn(output: string): string {
  const lines = output.split('\n').map(tidied).filter(Boolean)
  const stack = lines.findIndex(line => line.startsWith('Stack trace:'))
  const end = stack > 0 ? stack : lines.length
  const marked = lines.slice(0, end).findLastIndex(line => line.startsWith('[ERROR]'))
  return (
    lines
      .slice(marked < 0 ? end - 1 : marked, end)
      .slice(0, 3)
      .join(' ')
      .slice(0, 400) || 'it said nothing'
  )
}

/** Without the time and the branches of a tree that Astro draws, and with a gap between a page and its error. */
function tidied(line: string): string {
  return line
    .replace(/^\s*\d\d:\d\d:\d\d\s/, '')
    .replace(/^\s*[├└]─\s*/, '')
    .replace(/\.html(?=\S)/, '.html: ')
    .trim()
}

async function scratchFolder(root: string): Promise<string> {
  const parent = join(root, 'node_modules', '.cache', 'palagaram')
  await mkdir(parent, { recursive: true })
  for (const name of await readdir(parent)) {
    const { mtimeMs } = await stat(join(parent, name)).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < Date.now() - HOUR) await rm(join(parent, name), { recursive: true, force: true })
  }
  // Inside the folder that mkdtemp closes to others, one that a web server may read once it is moved.
  const folder = join(await mkdtemp(join(parent, 'build-')), 'site')
  await mkdir(folder)
  return folder
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rm(to, { recursive: true, force: true })
    await rename(from, to)
  } catch (error) {
    // Another file system: the data folder is often a disk of its own.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await cp(from, to, { recursive: true })
  }
}
