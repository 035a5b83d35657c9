export function findEditedFields<Fields extends object>(original: Fields, typed: Fields): (keyof Fields)[] {
  return (Object.keys(typed) as (keyof Fields)[]).filter(name => !isSame(original[name], typed[name]))
}

export function findConflictingFields<Fields extends object>(
  original: Fields,
  theirs: Fields,
  typed: Fields
): (keyof Fields)[] {
  return findEditedFields(original, typed).filter(
    name => !isSame(original[name], theirs[name]) && !isSame(theirs[name], typed[name])
  )
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
