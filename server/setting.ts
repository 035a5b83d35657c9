export type Environment = Readonly<Record<string, string | undefined>>

/** The message is one line with the setting's name, the error and an example. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

class InvalidSetting extends Error {}

/** An empty value counts as unset. Parsers of secrets must not quote the value in their message. Throws ConfigError. */
export function readSetting<Value>(env: Environment, name: string, parse: (value: string) => Value): Value | undefined {
  const value = env[name]?.trim()
  if (!value) return undefined
  try {
    return parse(value)
  } catch (error) {
    throw new ConfigError(`${name} ${error instanceof InvalidSetting ? error.message : 'is wrong'}`, { cause: error })
  }
}

export function invalid(problem: string, example: string): never {
  throw new InvalidSetting(`${problem}, for example ${example}`)
}

/** Quotes a value on one line, without the password of a URL. */
export function quote(value: string): string {
  return JSON.stringify(value.replace(/\/\/[^/@]*@/, '//…@').slice(0, 80))
}

/** Accepts only http and https, without credentials. */
export function parseHttpUrl(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
