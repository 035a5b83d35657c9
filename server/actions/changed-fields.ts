import { isDeepStrictEqual } from 'node:util'

export function changedFields<Fields extends object>(
  current: Fields,
  given: { readonly [Name in keyof Fields]?: Fields[Name] | undefined }
): Partial<Fields> {
  const names = (Object.keys(given) as (keyof Fields)[]).filter(
    name => given[name] !== undefined && !isDeepStrictEqual(given[name], current[name])
  )
  return Object.fromEntries(names.map(name => [name, given[name]])) as Partial<Fields>
}
