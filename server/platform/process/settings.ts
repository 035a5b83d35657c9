import * as z from 'zod/mini'

export type Environment = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

type Accepts = RegExp | ((value: string) => boolean)

export function setting(accepts: Accepts, problem: string, example: string): z.ZodMiniString {
  return check(accepts, value => `${problem}, not ${quote(value)}, for example ${example}`)
}

/** Like `setting`, but its error does not contain the value. */
export function secret(accepts: Accepts, problem: string, example: string): z.ZodMiniString {
  return check(accepts, () => `${problem}, for example ${example}`)
}

export function choice<const Value extends string>(
  values: readonly Value[],
  example: string
): z.ZodMiniEnum<{ [Name in Value]: Name }> {
  return z.enum(values, {
    error: ({ input }) =>
      `must be one of ${values.join(', ')}, not ${quote(String(input))}, for example ${example}`
  })
}

function check(accepts: Accepts, describe: (value: string) => string): z.ZodMiniString {
  const isValid = (value: string) =>
    accepts instanceof RegExp ? accepts.test(value) : accepts(value)
  return z.string().check(z.refine(isValid, { error: ({ input }) => describe(String(input)) }))
}

/** Empty values count as unset. */
export function parseSettings<Schema extends z.ZodMiniType>(
  schema: Schema,
  env: Environment
): z.output<Schema> {
  const values = Object.entries(env).flatMap(([name, value = '']) =>
    value.trim() ? [[name, value.trim()]] : []
  )
  const parsed = schema.safeParse(Object.fromEntries(values))
  if (parsed.success) return parsed.data
  const { path = [], message = '' } = parsed.error.issues[0] ?? {}
  throw new ConfigError(`${path.join('.')} ${message}`)
}

function quote(value: string) {
  return JSON.stringify(value.replace(/\/\/[^/@]*@/, '//…@').slice(0, 80))
}

export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

export function parseHttpUrl(value: string): URL | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined
  return url && /^https?:$/.test(url.protocol) && !url.username && !url.password ? url : undefined
}

export interface Address {
  host: string
  port: number
}

export function toLocalOrigin({ host, port }: Address): string {
  const isWildcard = host === '0.0.0.0' || host === '::'
  const address = isWildcard ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `http://${address}:${port}`
}

export function toLocalApiUrl(address: Address): string {
  return `${toLocalOrigin(address)}/api`
}
