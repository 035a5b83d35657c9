import Fastify, { type FastifyInstance } from 'fastify'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { logOptions } from '#server/platform/process/logging.ts'

afterEach(() => vi.restoreAllMocks())

async function createPrettyApp(
  logLevel: 'info' | 'debug' = 'info'
): Promise<{ app: FastifyInstance; lines: string[] }> {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation(
    (line: string) => void lines.push(stripVTControlCharacters(line))
  )
  const app = Fastify(await logOptions({ logFormat: 'pretty', logLevel }))
  app.post('/cart', async () => ({}))
  return { app, lines }
}

describe('Pretty log', () => {
  test('shows requests only at debug level', async () => {
    for (const [level, expected] of [
      ['info', []],
      ['debug', [expect.stringMatching(/ POST \/cart 200 \d+ ms$/)]]
    ] as const) {
      const { app, lines } = await createPrettyApp(level)
      await app.inject({ method: 'POST', url: '/cart?email=anita@example.com' })
      expect(lines).toEqual(expected)
    }
  })

  test('hides secrets and writes each message on one line', async () => {
    const { app, lines } = await createPrettyApp()
    app.log.warn({ password: 'hunter22', user: { token: 'hunter22' } }, 'Signed\u001b[2J\nin')
    app.log.error({ req: { headers: { authorization: 'Bearer hunter22' } } }, 'Failed')
    expect(lines.join('\n')).not.toContain('hunter22')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d WARN Signed.*in /)
  })
})
