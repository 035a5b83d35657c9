import { FIRST_ADMIN_NAME } from '../constants.ts'

/** The name of an account that was created by a code. */
export function nameFromEmail(email: string): string {
  return email.slice(0, email.lastIndexOf('@'))
}

/** False for a name that an account was given because nobody had typed one yet. */
export function isTypedName({ name, email }: { name: string; email: string }): boolean {
  return name !== FIRST_ADMIN_NAME && name !== nameFromEmail(email)
}
