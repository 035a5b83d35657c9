import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fp from 'fastify-plugin'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'

interface Options {
  prefix: string
  title: string
}

// Swagger UI adds inline styles. Everything else is loaded from this origin.
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const ERROR_RESPONSE = {
  description: 'Error with a message, a stable code, and messages by field for invalid input',
  type: 'object',
  properties: {
    message: { type: 'string' },
    code: { type: 'string' },
    fields: { type: 'object', additionalProperties: { type: 'string' } }
  },
  required: ['message', 'code']
}

/** Must be registered before the routes. Groups calls by the first part of their path. */
export const openapi = fp<Options>(async (app, { prefix, title }) => {
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title, version: '1' }, servers: [{ url: prefix }] },
    transform: document => {
      const { schema, url } = jsonSchemaTransform(document)
      if (schema.hide) return { url, schema }
      const response = { ...(schema.response as object | undefined), default: ERROR_RESPONSE }
      return {
        url,
        schema: { ...schema, tags: [url.slice(prefix.length).split('/')[1] ?? ''], response }
      }
    }
  })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: prefix,
    staticCSP: DOCS_POLICY
  })
})
