import { isDeepStrictEqual } from 'node:util'

export function changedFields<Fields extends object>(
  current: Fields,
  changes: { readonly [Name in keyof Fields]?: Fields[Name] | undefined }
): Partial<Fields> {
  const names = (Object.keys(changes) as (keyof Fields)[]).filter(
    name => changes[name] !== undefined && !isDeepStrictEqual(changes[name], current[name])
  )
  return Object.fromEntries(names.map(name => [name, changes[name]])) as Partial<Fields>
}
