import { build, type Plugin } from 'esbuild'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '#server/config.ts'
import { CACHE_FOLDER } from './server.ts'

const PROGRAMS = [
  'server/main.ts',
  ...['backup', 'publish', 'restore'].map(name => `server/commands/${name}.ts`),
  'sandbox/main.ts',
  'tests/faults/rounds/install-fast-clock.ts',
  'tests/faults/rounds/sandbox-process.ts'
]

/** Keeps the paths of files that a module reads relative to itself. */
const keepModuleUrls: Plugin = {
  name: 'keep-module-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const code = await readFile(path, 'utf8')
      return {
        contents: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
        loader: 'ts'
      }
    })
  }
}

/**
 * The programs that tests start, compiled once. A start with tsx takes 2.5 s of CPU time, mostly
 * for loading 300 modules. The shop of the browser tests is started with tsx, like `npm start`.
 */
const folder = await compile()

export function compiledProgram(file: string): string {
  if (!PROGRAMS.includes(file)) throw new Error(`${file} is not in the list of programs`)
  return join(folder, file.replace(/\.ts$/, '.js'))
}

/** Returns the folder of the bundles. It is named after their content, so that runs share it. */
async function compile(): Promise<string> {
  const outdir = join(CACHE_FOLDER, 'programs')
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outbase: '.',
    outdir,
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    plugins: [keepModuleUrls]
  })
  const hash = createHash('sha256')
  for (const { hash: contentHash } of outputFiles) hash.update(contentHash)
  const finished = `${outdir}-${hash.digest('hex').slice(0, 20)}`
  if (existsSync(finished)) return finished
  await mkdir(CACHE_FOLDER, { recursive: true })
  const unfinished = await mkdtemp(`${outdir}-`)
  for (const { path, contents } of outputFiles) {
    const target = join(unfinished, relative(outdir, path))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, contents)
  }
  // Another test process may have finished the same bundles.
  await rename(unfinished, finished).catch(() => rm(unfinished, { recursive: true }))
  return finished
}
