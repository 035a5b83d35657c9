import Fastify from 'fastify'
import { join } from 'node:path'
import { readSandboxKeys } from '../../../sandbox/objects.ts'
import { createFaultySandbox } from '../../support/sandbox-faults.ts'

/** The payment provider of the rounds, as a separate process. */
const [port = '', folder = '', webhookUrl = ''] = process.argv.slice(2)
// Without a limit for the start of plugins, because the clock of the rounds runs faster.
const app = Fastify({ forceCloseConnections: true, pluginTimeout: 0, logger: { level: 'warn' } })
const keys = await readSandboxKeys(folder)
const options = { file: join(folder, 'sandbox.db'), durable: false, keys, webhookUrl }
await app.register(createFaultySandbox(options).plugin)
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)))
await app.listen({ host: '127.0.0.1', port: Number(port) })
