import { access, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { flush } from './files.ts'

const BUILDING = '.building'
const MODULES = 'node_modules'

/** The built code under `DATA_DIR/code`, by version: what renders the pages and what they load. */
export interface CodeStore {
  /** The folder of a version that is complete. */
  find(version: string): Promise<string | undefined>
  /** An empty folder to build a version into. */
  begin(version: string): Promise<string>
  /** Lets what was built into a folder find its packages. */
  link(folder: string): Promise<void>
  /** Gives a built and packed folder its final name, and removes the versions before it. */
  complete(version: string): Promise<string>
}

/** Of a built version the process that publishes: `server/renderer.ts`. */
export function processOf(folder: string): string {
  return join(folder, 'server', 'renderer.mjs')
}

/** The module beside it that renders pages. */
export function entryOf(folder: string): string {
  return join(folder, 'server', 'entry.mjs')
}

/** The files of a built version that pages load. */
export function clientOf(folder: string): string {
  return join(folder, 'client')
}

/** `root` is the folder of package.json, where the code finds its packages. */
export function createCodeStore(dataDir: string, root: string): CodeStore {
  const versions = join(dataDir, 'code')
  const folder = (version: string): string => join(versions, version)

  return {
    async find(version) {
      const found = folder(version)
      try {
        await access(processOf(found))
      } catch {
        return undefined
      }
      await linkPackages(found, join(root, MODULES))
      return found
    },
    async begin(version) {
      const building = folder(version) + BUILDING
      await rm(building, { recursive: true, force: true })
      await mkdir(building, { recursive: true })
      return building
    },
    link: built => linkPackages(built, join(root, MODULES)),
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

/** Modules look for packages in the folders above them: the data folder may be anywhere. */
async function linkPackages(folder: string, modules: string): Promise<void> {
  const link = join(folder, MODULES)
  if ((await readlink(link).catch(() => undefined)) === modules) return
  await rm(link, { force: true })
  await symlink(modules, link)
}
