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
  test('shows time and message, and the level of warnings and errors', async () => {
    const { app, lines } = await createPrettyApp()
    app.log.info({ mail: 'code-1' }, 'Mail sent')
    app.log.warn({ order: 'PG-1', err: new Error('timed out') }, 'Payment not confirmed')
    app.log.error({ err: new Error('disk full') }, 'Publishing failed')
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d Mail sent$/)
    expect(lines[1]).toMatch(
      /^\d\d:\d\d:\d\d WARN Payment not confirmed: timed out \{"order":"PG-1"\}$/
    )
    expect(lines[2]).toMatch(
      /^\d\d:\d\d:\d\d ERROR Publishing failed\s[^]*Error: disk full\n\s+at /
    )
  })

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

  test('warns of slow requests', async () => {
    const { app, lines } = await createPrettyApp()
    app.get('/reports', async (_request, reply) => {
      Object.defineProperty(reply, 'elapsedTime', { value: 1500 })
      return {}
    })
    await app.inject('/reports?month=2026-11')
    expect(lines).toEqual([expect.stringMatching(/WARN GET \/reports 200 1500 ms/)])
  })

  test('hides secrets and writes each message on one line', async () => {
    const { app, lines } = await createPrettyApp()
    app.log.warn({ password: 'hunter22', user: { token: 'hunter22' } }, 'Signed\u001b[2J\nin')
    app.log.error({ req: { headers: { authorization: 'Bearer hunter22' } } }, 'Failed')
    expect(lines.join('\n')).not.toContain('hunter22')
    expect(lines).toHaveLength(2)
    expect(lines[0]).not.toContain('\n')
  })
})
