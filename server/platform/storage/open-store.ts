import { fileURLToPath } from 'node:url'
import { ConfigError, parseHttpUrl, type Environment } from '../process/settings.ts'
import { createFolderStore, type ObjectStore } from './object-store.ts'
import type { S3Location } from './s3-store.ts'

export type StorageLocation = { type: 'folder'; folder: string } | S3Location

export const STORAGE_EXAMPLE =
  's3://bucket/folder?endpoint=https://s3.example&region=eu-central-1 or file:///mnt/shop'

export async function openObjectStore(location: StorageLocation): Promise<ObjectStore> {
  if (location.type === 'folder') return createFolderStore(location.folder)
  const { createS3Store } = await import('./s3-store.ts')
  return createS3Store(location)
}

export function isStorageUrl(value: string): boolean {
  if (value.startsWith('file:')) return parseFolder(value) !== undefined || isEmptyFileUrl(value)
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return false
  const { endpoint, region, ...others } = Object.fromEntries(url.searchParams)
  const isEndpoint =
    endpoint === undefined || (parseHttpUrl(endpoint) !== undefined && !/[?#]/.test(endpoint))
  const isRegion = region === undefined || /^[a-z0-9-]+$/.test(region)
  return (
    /^[a-z0-9][a-z0-9.-]+$/.test(url.hostname) &&
    isEndpoint &&
    isRegion &&
    Object.keys(others).length === 0
  )
}

/** Returns undefined for an unset value and for `file:`. Throws ConfigError if keys are missing. */
export function parseStorageUrl(
  value: string | undefined,
  env: Environment
): StorageLocation | undefined {
  if (value === undefined || isEmptyFileUrl(value)) return undefined
  const folder = parseFolder(value)
  if (folder !== undefined) return { type: 'folder', folder }
  const accessKeyId = env['AWS_ACCESS_KEY_ID']?.trim()
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY']?.trim()
  if (!accessKeyId || !secretAccessKey) {
    throw new ConfigError(
      'STORAGE_URL needs the keys of the store: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
    )
  }
  const { hostname: bucket, pathname, searchParams } = new URL(value)
  const path = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, '')
  const region = searchParams.get('region') ?? 'us-east-1'
  const endpoint = searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`
  return {
    type: 's3',
    bucket,
    prefix: path && `${path}/`,
    endpoint: endpoint.replace(/\/+$/, ''),
    region,
    accessKeyId,
    secretAccessKey
  }
}

function isEmptyFileUrl(value: string): boolean {
  return /^file:\/*$/.test(value)
}

function parseFolder(value: string): string | undefined {
  return /^file:\/\/\/[^?#\0]+$/.test(value) && URL.canParse(value)
    ? fileURLToPath(value)
    : undefined
}
