export type Environment = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

class InvalidSetting extends Error {}

/**
 * Throws ConfigError. Treats an empty value as missing. For a secret, `parse` must not put the value into error
 * messages.
 */
export function readSetting<Value>(env: Environment, name: string, parse: (value: string) => Value): Value | undefined {
  const value = env[name]?.trim()
  if (!value) return undefined
  try {
    return parse(value)
  } catch (error) {
    throw new ConfigError(`${name} ${error instanceof InvalidSetting ? error.message : 'is wrong'}`, { cause: error })
  }
}

export function throwInvalid(problem: string, example: string): never {
  throw new InvalidSetting(`${problem}, for example ${example}`)
}

export function quote(value: string): string {
  return JSON.stringify(value.replace(/\/\/[^/@]*@/, '//…@').slice(0, 80))
}

export function parseHttpUrl(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}
