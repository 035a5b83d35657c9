/** The fields in which what was typed differs from what the form began with. */
export function editedFields<Fields extends object>(before: Fields, typed: Fields): (keyof Fields)[] {
  return (Object.keys(typed) as (keyof Fields)[]).filter(name => !isSame(before[name], typed[name]))
}

/** The fields that were typed here and changed by somebody else, to something else. */
export function conflictingFields<Fields extends object>(before: Fields, theirs: Fields, typed: Fields): (keyof Fields)[] {
  return editedFields(before, typed).filter(
    name => !isSame(before[name], theirs[name]) && !isSame(theirs[name], typed[name])
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
