import { access, mkdir, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { flush } from './files.ts'

const BUILDING = '.building'
const MODULES = 'node_modules'

export interface CodeStore {
  find(version: string): Promise<string | undefined>
  begin(version: string): Promise<string>
  linkNodeModules(folder: string): Promise<void>
  complete(version: string): Promise<string>
}

export function rendererFile(folder: string): string {
  return join(folder, 'server', 'renderer.mjs')
}

export function entryFile(folder: string): string {
  return join(folder, 'server', 'entry.mjs')
}

export function clientFolder(folder: string): string {
  return join(folder, 'client')
}

export function createCodeStore(dataDir: string, root: string): CodeStore {
  const versions = join(dataDir, 'code')
  const folder = (version: string): string => join(versions, version)

  return {
    async find(version) {
      const built = folder(version)
      try {
        await access(rendererFile(built))
      } catch {
        return undefined
      }
      await linkPackages(built, join(root, MODULES))
      return built
    },
    async begin(version) {
      const building = folder(version) + BUILDING
      await rm(building, { recursive: true, force: true })
      await mkdir(building, { recursive: true })
      return building
    },
    linkNodeModules: built => linkPackages(built, join(root, MODULES)),
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

/**
 * Links the project's packages into `folder`. Otherwise, Node would not find them if DATA_DIR is outside the project.
 */
async function linkPackages(folder: string, modules: string): Promise<void> {
  const link = join(folder, MODULES)
  if ((await readlink(link).catch(() => undefined)) === modules) return
  await rm(link, { force: true })
  await symlink(modules, link)
}
