import Fastify from 'fastify'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '#server/platform/process/clock.ts'
import { closeOnSignals } from '#server/platform/process/command.ts'
import { readOptions } from '#server/razorpay/sandbox/options.ts'
import { readSandboxKeys } from '#server/razorpay/settings.ts'
import { createFaultySandbox } from '../../support/sandbox-faults.ts'

/**
 * The payment provider of the rounds, as a separate process. It takes the options of `npm run
 * sandbox`.
 */
const options = readOptions(process.argv.slice(2))
mkdirSync(options.data, { recursive: true })
const keys = await readSandboxKeys(options.data)
const file = join(options.data, 'sandbox.db')
// Without a limit for the start of plugins, because the clock of the rounds runs faster.
const app = Fastify({ forceCloseConnections: true, pluginTimeout: 0, logger: { level: 'warn' } })
await app.register(createFaultySandbox({ ...options, keys, file, clock: systemClock }).plugin)
closeOnSignals(error => console.error(error)).onEnd(() => app.close())
await app.listen({ host: '127.0.0.1', port: options.port })
