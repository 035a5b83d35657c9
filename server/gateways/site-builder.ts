import { cp, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { HOUR, MINUTE } from '#lib/time.ts'
import type { Environment } from '../config.ts'
import { runNode } from './child-process.ts'

export interface BuildRequest {
  /** An empty folder that gets two: `server`, which renders pages, and `client`, the files that they load. */
  outDir: string
  siteUrl: string
  publicApiBase: string
  /** Ends the build. */
  signal: AbortSignal
}

/** Builds the code that renders the pages. */
export interface SiteBuilder {
  /** Throws BuildError, or the signal's reason when it was ended. */
  build(request: BuildRequest): Promise<void>
}

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

/** `astro build` in a process of its own, whose memory goes with it; `root` is the folder of package.json. */
export function createSiteBuilder(root: string, env: Environment): SiteBuilder {
  return {
    async build({ outDir, siteUrl, publicApiBase, signal }) {
      signal.throwIfAborted()
      // Astro takes files from where it builds to where they belong by paths inside the project.
      const folder = await scratchFolder(root)
      try {
        await run(root, signal, {
          ...passedOn(env),
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

/** Of our environment what a process that makes pages needs. */
export function passedOn(env: Environment): Environment {
  return Object.fromEntries(PASSED_ON.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])))
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
export function reasonIn(output: string): string {
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
