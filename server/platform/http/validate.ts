import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import * as z from 'zod/mini'
import { t } from '#lib/contract/texts.ts'
import { ShopError, type FieldErrors } from '#lib/errors.ts'
import { MESSAGES } from '#lib/messages.ts'

/** Replaces Zod's own texts, which are for developers. Texts of a schema take precedence. */
export const ZOD_TEXTS = { error: () => MESSAGES.invalidField }

export const validatorCompiler: FastifySchemaCompiler<z.core.$ZodType> =
  ({ schema, httpPart }) =>
  value => {
    const result = validate(schema, value)
    if (!(result instanceof ShopError)) return { value: result.data }
    return { error: httpPart === 'params' ? new ShopError('NOT_FOUND') : result }
  }

function validate<Value>(
  schema: z.core.$ZodType<Value>,
  value: unknown
): { data: Value } | ShopError {
  const { data, error } = z.core.safeParse(schema, value, ZOD_TEXTS)
  if (!error) return { data }
  const fields: FieldErrors = {}
  for (const { path, message } of error.issues) fields[path.join('.')] ??= t(message)
  // An empty path means that the body is not an object, so no field can be named.
  return '' in fields
    ? new ShopError('MALFORMED_REQUEST')
    : new ShopError('INVALID_INPUT', { fields })
}

export function parseJson(
  text: string,
  reviver?: (name: string, value: unknown) => unknown
): unknown {
  try {
    return JSON.parse(text, reviver)
  } catch {
    return undefined
  }
}

export function invalidField(field: string, text: string): ShopError {
  return new ShopError('INVALID_INPUT', { fields: { [field]: text } })
}

/** For routes whose signature covers the bytes of the body. */
export function keepRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

export function toBytes(body: unknown): Buffer {
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0)
}

interface InputSchemas {
  params?: z.core.$ZodType
  querystring?: z.core.$ZodType
  body?: z.core.$ZodType
}

export function route<
  Reply extends z.core.$ZodType,
  Input extends InputSchemas = Record<never, never>
>(
  summary: string,
  reply: Reply,
  input?: Input
): { schema: Input & { summary: string; response: { 200: Reply } } } {
  return { schema: { ...(input as Input), summary, response: { 200: reply } } }
}
