import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  type RouteOptions
} from 'fastify'
import fp from 'fastify-plugin'
import { errors } from './errors.ts'
import { toSecurityHeaders } from './security-headers.ts'

interface Options {
  prefix: string
  siteUrl: string
  title: string
  onNotFound: (request: FastifyRequest, reply: FastifyReply) => unknown
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

/**
 * Serves Swagger UI for the route schemas. Swagger UI is created at the first request, because it needs much memory.
 */
export const openapi = fp<Options>(async (app, options) => {
  const routes: RouteOptions[] = []
  let building: Promise<FastifyInstance> | undefined

  app.addHook('onRoute', route => {
    if (!route.schema?.hide && route.method !== 'HEAD') routes.push(route)
  })
  app.addHook('onClose', async () => (await building)?.close())
  for (const url of ['/docs', '/docs/*']) {
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      building ??= buildDocs(routes, options)
      const docs = await building
      reply.hijack()
      docs.routing(request.raw, reply.raw)
    })
  }
})

async function buildDocs(
  routes: readonly RouteOptions[],
  { prefix, siteUrl, title, onNotFound: notFound }: Options
): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }, { jsonSchemaTransform, serializerCompiler, validatorCompiler }] =
    await Promise.all([import('@fastify/swagger'), import('@fastify/swagger-ui'), import('fastify-type-provider-zod')])
  const docs = Fastify()
  docs.setValidatorCompiler(validatorCompiler)
  docs.setSerializerCompiler(serializerCompiler)
  const headers = toSecurityHeaders({ siteUrl, allowOtherOrigins: false, contentSecurityPolicy: DOCS_POLICY })
  docs.addHook('onRequest', async (_request, reply) => void reply.headers(headers))
  docs.setNotFoundHandler(notFound)
  await docs.register(errors)
  await docs.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title, version: '1' }, servers: [{ url: prefix }] },
    transform: document => {
      const { schema, url } = jsonSchemaTransform(document)
      return {
        url,
        schema: schema.hide ? schema : { ...schema, response: { ...toResponses(schema), default: ERROR_RESPONSE } }
      }
    }
  })
  for (const { method, url, schema } of routes) {
    docs.route({ method, url, ...(schema && { schema }), handler: async () => undefined })
  }
  await docs.register(swaggerUi, { routePrefix: `${prefix}/docs` })
  await docs.ready()
  return docs
}

function toResponses({ response }: FastifySchema): object {
  return typeof response === 'object' && response !== null ? response : {}
}
