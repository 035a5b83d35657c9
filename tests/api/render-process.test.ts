import { describe, expect, onTestFinished, test } from 'vitest'
import type { SiteSource } from '#lib/renderer.ts'
import { BuildError } from '#server/publishing/site-code.ts'
import { createRenderProcess, type RenderProcess } from '#server/publishing/render-process.ts'
import { InvalidReleaseError } from '#server/publishing/release/page.ts'
import type { ReleaseJob, RenderProgress } from '#server/publishing/release/make-release.ts'
import { writeSite } from '../support/test-publisher.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const JOB: ReleaseJob = {
  id: '20261121-040000-abcdef',
  createdAt: '2026-11-21T04:00:00.000Z',
  code: 'this code',
  counter: 1,
  levels: 0,
  siteUrl: 'https://shop.example',
  publicApiBase: '/api',
  checkoutUrl: 'https://pay.example/checkout.js',
  folder: '/nowhere',
  client: '/nowhere',
  rendersAll: false,
  source: { content: {} as SiteSource['content'], readAt: 0 },
  pictures: []
}

/** Writes a fake renderer that runs `script` for each task. The script calls `reply`. */
async function writeRenderer(script: string) {
  const code = await temporaryFolder()
  await writeSite(code, {
    'server/renderer.mjs': `
      process.on('disconnect', () => process.exit())
      process.on('message', async ({ id, task }) => {
        const reply = message => process.send({ id, ...message })
        ${script}
      })`
  })
  return code
}

function startProcess() {
  const env = { PATH: '/bin', SMTP_URL: 'smtp://shop:hunter2@mail.example' }
  const process = createRenderProcess(env)
  onTestFinished(() => process.close())
  return process
}

function render(process: RenderProcess, code: string, signal = new AbortController().signal) {
  return process.render(code, JOB, { signal, onProgress: () => undefined })
}

test('The render process is reused for the next release of the same code and gets no secrets in its environment', async () => {
  const script = `
      const catalog = JSON.stringify({ pid: process.pid, env: process.env, job: task.job })
      reply({ result: { state: 'made', pages: 2, rendered: 1, catalog } })`
  const code = await writeRenderer(script)
  const process = startProcess()
  const [first, second] = [await render(process, code), await render(process, code)]
  expect(second).toEqual(first)
  const { catalog } = first as { catalog: string }
  expect(JSON.parse(catalog)).toMatchObject({ job: JOB, env: { NODE_ENV: 'production' } })
  expect(catalog).not.toContain('hunter2')
  expect(await render(process, await writeRenderer(script))).not.toEqual(first)
})

describe('Failed render', () => {
  test.for([
    [
      'lists the problems if the rendered site is invalid',
      `reply({ failure: { message: 'invalid', problems: ['/about refers to /gone'], count: 3 } })`,
      InvalidReleaseError,
      '/about refers to /gone (and 2 more)'
    ],
    [
      'reports the output of the process',
      `console.error('[ERROR] The API has no picture hero')
      setTimeout(() => reply({ failure: { message: '/ could not be rendered (500)' } }), 50)`,
      BuildError,
      '/ could not be rendered (500): [ERROR] The API has no picture hero'
    ]
  ] as const)('%s', async ([, script, type, message]) => {
    const error = await render(startProcess(), await writeRenderer(script)).catch(
      (thrown: unknown) => thrown
    )
    expect(error).toBeInstanceOf(type)
    expect(String(error)).toContain(message)
  })

  test('ends the process if the render is aborted', async () => {
    const code = await writeRenderer(`
      reply({ progress: { rendered: process.pid, of: 1 } })`)
    const controller = new AbortController()
    let pid = 0
    const onProgress = ({ rendered }: RenderProgress) => {
      pid = rendered
      controller.abort(new Error('The shop is shutting down'))
    }
    await expect(
      startProcess().render(code, JOB, { signal: controller.signal, onProgress })
    ).rejects.toThrow('The shop is shutting down')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

function isAlive(pid: number) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
