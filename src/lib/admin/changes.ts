export function editedFields<Fields extends object>(before: Fields, typed: Fields): (keyof Fields)[] {
  return (Object.keys(typed) as (keyof Fields)[]).filter(name => !isSame(before[name], typed[name]))
}

/** The fields that both sides changed, to different values. */
export function conflictingFields<Fields extends object>(
  before: Fields,
  theirs: Fields,
  typed: Fields
): (keyof Fields)[] {
  return editedFields(before, typed).filter(
    name => !isSame(before[name], theirs[name]) && !isSame(theirs[name], typed[name])
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
