export type Environment = Readonly<Record<string, string | undefined>>

/** A setting that is present but wrong: one line that names it, says what is wrong and shows an example. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** What a reader of a setting throws by way of `wrong`; the line then begins with the setting's name. */
class Wrong extends Error {}

/**
 * A setting as its reader understands it; an empty one counts as unset. Values of secrets never reach the message: a
 * reader says what it expects, not what it found. Throws ConfigError.
 */
export function readSetting<Value>(env: Environment, name: string, as: (value: string) => Value): Value | undefined {
  const value = env[name]?.trim()
  if (!value) return undefined
  try {
    return as(value)
  } catch (error) {
    throw new ConfigError(`${name} ${error instanceof Wrong ? error.message : 'is wrong'}`, { cause: error })
  }
}

export function wrong(what: string, example: string): never {
  throw new Wrong(`${what}, for example ${example}`)
}

/** On one line, and without the password that an address may hold. */
export function quoted(value: string): string {
  return JSON.stringify(value.replace(/\/\/[^/@]*@/, '//…@').slice(0, 80))
}

/** An address of http or https without a user, or undefined. */
export function webAddress(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
