import { spawn } from 'node:child_process'
import { SMTPServer } from 'smtp-server'
import { expect, type Locator, test } from 'playwright/test'
import { paths } from '#lib/paths.ts'
import { makePhoto } from '../support/browser-admin.ts'
import { copyShop } from '../support/browser-data.ts'
import { addButton, waitForHydration } from '../support/browser-pages.ts'
import { desktop, phone } from '../support/browser.ts'
import { freePort, removeFolder, startShop } from '../support/server.ts'
import { Walk } from '../support/walk.ts'

const OWN_EMAIL = 'meena@home.example'
const MOST_TAPS = 110
const KEYS = {
  RAZORPAY_KEY_ID: 'rzp_test_firsthour',
  RAZORPAY_KEY_SECRET: 'the key secret',
  RAZORPAY_WEBHOOK_SECRET: 'the webhook secret'
}
const PRODUCTS = [
  ['Rava Kesari', '150', 'Sweets'],
  ['Kara Murukku', '120', 'Savouries'],
  ['Mango Pickle', '180', 'Pickles']
] as const

test.describe.configure({ timeout: 400_000 })

for (const { name, device, most } of [
  { name: 'on a phone', device: phone, most: MOST_TAPS },
  { name: 'with a keyboard', device: desktop, most: Infinity }
]) {
  test.describe(name, () => {
    test.use(device)
    test('An owner comes from an empty folder to the first shipped order', async ({ page }) => {
      const town = await openTown()
      try {
        const walk = new Walk(page, device === desktop)
        await walkFirstHour(walk, town)
        process.stdout.write(`${walk.table}\n${walk.taps} taps ${name}\n`)
        expect(walk.taps).toBeLessThanOrEqual(most)
      } finally {
        await town.close()
      }
    })
  })
}

type Town = Awaited<ReturnType<typeof openTown>>

/** A new shop, beside a mail server and a payment provider that it does not know yet. */
async function openTown() {
  const [port, providerPort, mailPort] = [await freePort(), await freePort(), await freePort()]
  const mails: string[] = []
  const mailServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username }, _session, reply) => reply(null, { user: username }),
    onData(stream, _session, reply) {
      let text = ''
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
      stream.on('end', () => {
        mails.push(text)
        reply()
      })
    }
  })
  mailServer.listen(mailPort, '127.0.0.1')
  // The built code is that of the other shops, so that it need not be built again.
  const dataDir = copyShop('code')
  const webhook = `http://127.0.0.1:${port}/api/payments/razorpay-webhook`
  const options = ['--port', String(providerPort), '--webhook-url', webhook]
  const provider = spawn(
    process.execPath,
    ['--import', 'tsx', 'sandbox/main.ts', '--data', `${dataDir}/provider`, ...options],
    { env: { ...process.env, ...KEYS }, stdio: 'ignore' }
  )
  const api = `http://127.0.0.1:${providerPort}/v1`
  const addresses = { RAZORPAY_API_BASE: api, RAZORPAY_CHECKOUT_URL: `${api}/checkout.js` }
  const shop = await startShop({ port, dataDir, env: { DEMO_DATA: 'false', ...addresses } })
  return {
    url: shop.url,
    output: shop.output,
    mails,
    mailPort,
    async close() {
      await shop.stop()
      provider.kill()
      mailServer.close()
      removeFolder(dataDir)
    }
  }
}

async function walkFirstHour(walk: Walk, town: Town) {
  const { page } = walk
  const main = page.getByRole('main')
  const field = (label: string, form: Locator = main) =>
    form.getByRole('textbox', { name: label, exact: true })
  const press = (label: string | RegExp, form: Locator = main) =>
    walk.tap(form.getByRole('button', { name: label, exact: typeof label === 'string' }))
  const follow = async (label: string | RegExp) => {
    await walk.tap(main.getByRole('link', { name: label }).first())
  }
  const fill = async (values: Readonly<Record<string, string>>, form: Locator = main) => {
    for (const [label, text] of Object.entries(values)) await walk.type(field(label, form), text)
  }
  const isBack = async () => {
    await expect(main.getByRole('heading', { name: 'Set up your shop' })).toBeVisible()
    await waitForHydration(page)
  }

  await page.goto(town.url + paths.login)
  await waitForHydration(page)
  await walk.step('log in', async () => {
    const panel = page.getByRole('tabpanel')
    await walk.type(panel.getByLabel('Email', { exact: true }), 'admin@localhost.test')
    const password = /password: (\S+)/.exec(town.output())?.[1] ?? ''
    await walk.type(panel.getByLabel('Password', { exact: true }), password)
    await press('Login', panel)
    await isBack()
  })
  await walk.step('own login', async () => {
    const form = page.getByRole('form', { name: 'Your login' })
    await fill({ 'Your name': 'Meena', Email: OWN_EMAIL }, form)
    await walk.type(form.getByLabel('New password', { exact: true }), 'kolam river bicycle 9')
    await press('Save', form)
    await expect(form).toBeHidden()
  })
  await walk.step('shop details', async () => {
    await follow('Enter shop details')
    await fill({
      'Shop name': 'Meenakshi Amma Sweets',
      Phone: '9000012345',
      Email: 'hello@meena.example',
      Pincode: '620002',
      Street: '3 Big Street'
    })
    await expect(field('City')).toHaveValue('Tiruchirappalli')
    await press('Save settings')
    await isBack()
  })
  await walk.step('legal details', async () => {
    await follow('Enter legal details')
    await fill({ 'FSSAI number': '12422999000123', Name: 'Meena' })
    await press('Save settings')
    await isBack()
  })
  await walk.step('GST', async () => {
    await follow('Answer one question')
    await walk.tap(main.getByRole('radio', { name: /^No/ }))
    await press('Save settings')
    await isBack()
  })
  await walk.step('policies', async () => {
    await follow('Start from our texts')
    await press(/^(Use|Save)/)
    await isBack()
  })
  await walk.step('delivery', async () => {
    await follow('Choose where you deliver')
    await press('Save settings')
    await isBack()
  })
  await walk.step('email', async () => {
    await follow('Set up email')
    await walk.choose(main.getByLabel('Provider'), 'Another mail server')
    await fill({ 'User name': OWN_EMAIL })
    await walk.type(main.getByLabel('Password', { exact: true }), 'abcd efgh ijkl mnop')
    await fill({ 'Mail server': '127.0.0.1', Port: String(town.mailPort) })
    await press('Save and test')
    await isBack()
  })
  await walk.step('confirm email', async () => {
    const form = page.getByRole('form', { name: 'Confirm your email address' })
    await press(/code/, form)
    const code = () => town.mails.map(mail => /^Subject: (\d{6})/m.exec(mail)?.[1] ?? '').join('')
    await expect.poll(code).toMatch(/^\d{6}$/)
    await walk.type(form.getByLabel('One-time code'), code())
    await press('Confirm', form)
    await expect(form).toBeHidden()
  })
  await walk.step('payments', async () => {
    await follow('Set up payments')
    await fill({ 'Key id': KEYS.RAZORPAY_KEY_ID })
    await walk.type(main.getByLabel('Key secret', { exact: true }), KEYS.RAZORPAY_KEY_SECRET)
    await walk.type(
      main.getByLabel('Webhook secret', { exact: true }),
      KEYS.RAZORPAY_WEBHOOK_SECRET
    )
    await press('Save and test')
    await isBack()
  })
  await walk.step('three products', async () => {
    await follow('Add a product')
    for (const [index, [name, price, category]] of PRODUCTS.entries()) {
      await pickPhoto(walk, main)
      await fill({ Name: name, Price: price })
      await walk.tap(main.getByRole('radio', { name: category }))
      const isLast = index === PRODUCTS.length - 1
      await press(isLast ? 'Save product' : 'Save and add another')
      await expect(page.getByText(`${name} was added`).first()).toBeVisible()
    }
  })
  await walk.step('home page', async () => {
    await page.goto(town.url + paths.admin)
    await follow('Make it yours')
    await press('Choose picture')
    await pickPhoto(walk, page.getByRole('dialog'))
    await fill({ Heading: 'Sweets from Big Street', Text: 'Made on the day you get them.' })
    await press('Save settings')
    await isBack()
  })
  await walk.step('test order', async () => {
    await follow('Go to the shop')
    await walk.tap(main.getByRole('link', { name: 'Rava Kesari' }).first())
    await walk.tap(addButton(page))
    await walk.tap(page.getByRole('banner').getByRole('link', { name: /^Cart/ }))
    await page.getByRole('button', { name: /^Pay Now/ }).waitFor()
    await fill({
      'Phone number': '9876543210',
      Pincode: '625001',
      'Street and area': '12 West Street'
    })
    await expect(main.getByLabel('City or town')).toHaveValue('Madurai')
    await walk.tap(page.getByRole('checkbox', { name: /confirm/ }))
    await press(/^Pay Now/)
    await press(/^Pay ₹/, page.getByRole('dialog'))
    await expect(page.getByRole('heading', { name: 'Order placed successfully!' })).toBeVisible()
  })
  await walk.step('shipped', async () => {
    await page.goto(town.url + paths.admin)
    await follow(/to pack/)
    await follow('Show all orders')
    await press(/^Mark as packed/)
    await press(/^Mark as shipped/)
    const dialog = page.getByRole('dialog')
    await walk.type(dialog.getByLabel('Courier'), 'ST Courier')
    await walk.type(dialog.getByLabel(/^Tracking number/), '123456789')
    await press('Mark as shipped', dialog)
    await expect(dialog).toBeHidden()
  })
  await walk.step('backup', async () => {
    await page.goto(town.url + paths.admin)
    await follow('Make a backup')
    const download = page.waitForEvent('download')
    await press('Download backup')
    await download
    await expect(page.getByText('9 of 10 done')).toBeVisible()
  })
}

async function pickPhoto(walk: Walk, form: Locator) {
  const picker = walk.page.waitForEvent('filechooser')
  await walk.tap(form.getByRole('button', { name: /gallery|^(Choose|Upload) picture/ }).first())
  await (await picker).setFiles(await makePhoto('#e0a030'))
}
