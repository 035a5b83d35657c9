import { parse } from 'dotenv'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#server/config.ts'

const hasProgram = (name: string) => spawnSync('which', [name]).status === 0
const readFile = (name: string) => readFileSync(join('deploy', name), 'utf8')

function run(program: string, options: string): [status: number | null, output: string] {
  const { status, stderr } = spawnSync(program, options.split(' '))
  return [status, String(stderr)]
}

describe('Files for deployment', () => {
  test('the environment file has settings that the shop accepts', () => {
    const text = readFile('shop.env')
    const expected = { siteUrl: 'https://shop.example', trustProxy: 1, mayUseTestMode: true }
    expect(readConfig(parse(text))).toMatchObject({ ...expected, razorpay: undefined })
    const filledIn = text
      .replaceAll(/^#(?=[A-Z])/gm, '')
      .replace('rzp_test_', 'rzp_test_abcdefghijklmn')
      .replaceAll(
        /(SECRET|TOKEN|ACCESS_KEY|ACCESS_KEY_ID)=$/gm,
        '$1=0123456789abcdef0123456789abcdef'
      )
    expect(readConfig(parse(filledIn))).toMatchObject({ ...expected, razorpay: expect.anything() })
  })

  test.skipIf(!hasProgram('caddy'))('Caddy accepts its file', () => {
    const output = run('caddy', 'adapt --config deploy/Caddyfile --adapter caddyfile')
    expect(output).toEqual([0, expect.not.stringContaining('not formatted')])
  })

  test.skipIf(!hasProgram('nginx'))('nginx accepts its file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'palagaram-deploy-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const [certificate, key] = [`${folder}/certificate.pem`, `${folder}/key.pem`]
    const request = 'req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=shop.example'
    run('openssl', `${request} -keyout ${key} -out ${certificate}`)
    const site = readFile('nginx.conf')
      .replace(/\S+fullchain\.pem/, certificate)
      .replace(/\S+privkey\.pem/, key)
    writeFileSync(`${folder}/nginx.conf`, `pid ${folder}/pid; events {} http { ${site} }`)
    const output = run('nginx', `-t -e ${folder}/log -c ${folder}/nginx.conf`)
    expect(output).toEqual([0, expect.stringContaining('successful')])
  })

  test.skipIf(!hasProgram('systemd-analyze'))('systemd accepts its units', () => {
    const units = ['shop.service', 'shop-backup.service', 'shop-backup.timer']
    const files = units.map(name => join('deploy', name)).join(' ')
    const [status, complaints] = run('systemd-analyze', `verify --man=no ${files}`)
    expect([status, complaints.match(/.*deploy\/.*/g)]).toEqual([0, null])
  })

  test('the shop starts where only Git and npm have made folders', () => {
    const paths = /^ReadWritePaths=(.*)$/m.exec(readFile('shop.service'))?.[1]?.split(' ') ?? []
    expect(paths.filter(path => !path.startsWith('-'))).toEqual(['/opt/shop/node_modules'])
  })
})
