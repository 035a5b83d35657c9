import { isDeepStrictEqual } from 'node:util'

/** Of the fields that are named, those that are something else now. */
export function differing<Fields extends object>(
  now: Fields,
  named: { readonly [Name in keyof Fields]?: Fields[Name] | undefined }
): Partial<Fields> {
  const names = (Object.keys(named) as (keyof Fields)[]).filter(
    name => named[name] !== undefined && !isDeepStrictEqual(named[name], now[name])
  )
  return Object.fromEntries(names.map(name => [name, named[name]])) as Partial<Fields>
}
