import { t, texts } from '#lib/contract/texts.ts'
import type { FastifyInstance } from 'fastify'
import { randomBytes } from 'node:crypto'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { ShopError } from '#lib/errors.ts'
import { isLive } from '../../live-shop/live-shop.ts'
import type { Db } from '../../platform/db/tables.ts'
import { readSecretField } from '../../settings/secrets.ts'
import { listVersions } from '../../settings/settings.ts'
import {
  createRazorpay,
  PaymentError,
  type PaymentGateway,
  writeOnlyIfLive
} from '../../razorpay/client.ts'
import {
  findModeProblem,
  isSignedPayment,
  isSignedWebhook,
  MAX_WEBHOOK_SECRETS,
  type PaymentSettings,
  readPaymentSettings,
  usesTestMode
} from '../../razorpay/config.ts'

type Deps = Pick<FastifyInstance, 'config' | 'database' | 'write' | 'settingsKey'>
type SavedKeys = Settings['payments']

interface Account {
  settings: PaymentSettings
  gateway: PaymentGateway
}

export interface Payments {
  /** From the environment, otherwise of the built-in sandbox. */
  settings: PaymentSettings
  /** Creates orders with the current keys. All other calls find the keys that a payment has. */
  gateway: PaymentGateway
  current(): Promise<PaymentSettings>
  /** The keys with which the payment of a provider order began. */
  of(db: Db, providerOrderId: string): Promise<PaymentSettings>
  isSigned(providerOrderId: string, paymentId: string, signature: string): Promise<boolean>
  isSignedWebhook(body: Buffer, signature: string): Promise<boolean>
  /** Of new keys, otherwise of the current ones. Throws INVALID_INPUT, PAYMENTS_UNAVAILABLE. */
  test(keys?: SavedKeys): Promise<string>
}

const MODE_TEXTS = texts({
  'no keys': 'Customers can already order, so the shop needs keys. Please enter new ones.',
  'test keys':
    'With test keys, customers would get goods for nothing. Please enter your live keys.',
  'live keys':
    'Live keys only work at the shop’s own web address. Please enter your test keys here.'
})
const sandboxWorks = () => t('The practice payments of the shop work. No money moves.')

export async function openPayments(deps: Deps, ownGateway?: PaymentGateway): Promise<Payments> {
  const { config, write } = deps
  const db = deps.database.kysely
  const settings = await readPaymentSettings(config)
  const base = { settings, gateway: ownGateway ?? createRazorpay(settings) }
  /** Newest first. */
  let saved: readonly Account[] = []
  let last = { version: 0, keyId: '' }

  /** Versions never change, so only newer ones are read. */
  const listAccounts = async (reader: Db): Promise<readonly [Account, ...Account[]]> => {
    for (const { value, version } of await listVersions(reader, 'payments', last.version)) {
      if (version <= last.version) continue
      last = { version, keyId: value.keyId }
      if (value.keyId === '') continue
      const isSame = (account: Account) => account.settings.keyId === value.keyId
      const earlier = saved.find(isSame)?.settings.webhookSecrets
      saved = [toAccount(deps, value, earlier), ...saved.filter(account => !isSame(account))]
    }
    const isCurrent = ({ settings: { keyId } }: Account) =>
      !config.razorpay && keyId === last.keyId && findModeProblem(config, keyId) !== 'live keys'
    const current = saved.find(isCurrent) ?? base
    return [current, ...[...saved, base].filter(account => account !== current)]
  }

  /** By the id of a provider order, or of a payment that the shop has seen. */
  const findAccount = async (reader: Db, id: string): Promise<Account | undefined> => {
    const [current, ...others] = await listAccounts(reader)
    if (others.length === 0) return current
    const orderOfPayment = reader
      .selectFrom('payments')
      .select('provider_order_id')
      .where('id', '=', id)
    const order = await reader
      .selectFrom('provider_orders')
      .select('key_id')
      .where(row => row.or([row('id', '=', id), row('id', '=', orderOfPayment)]))
      .executeTakeFirst()
    return order && [current, ...others].find(each => each.settings.keyId === order.key_id)
  }

  /** A key that was revoked is replaced by the current one, which may be of the same account. */
  const ask = async <Reply>(
    id: string,
    call: (gateway: PaymentGateway) => Promise<Reply>
  ): Promise<Reply> => {
    const own = await findAccount(db, id)
    const accounts = await listAccounts(db)
    const failures: unknown[] = []
    for (const { gateway } of new Set(own ? [own, accounts[0]] : accounts)) {
      try {
        return await call(gateway)
      } catch (error) {
        const isOfOther = !own && error instanceof PaymentError && error.kind === 'refused'
        if (!isOfOther && !isWrongKey(error)) throw error
        failures.push(error)
      }
    }
    throw failures.find(isWrongKey) ?? failures[0]
  }
  /** Pages of all accounts. Together they are shorter than a page only if each of them is. */
  const collect = async <Item>(
    list: (gateway: PaymentGateway) => Promise<Item[]>
  ): Promise<Item[]> => {
    const accounts = await listAccounts(db)
    const lists = accounts.map(async (account, index) =>
      list(account.gateway).catch((error: unknown): Item[] => {
        if (index > 0 && isWrongKey(error)) return []
        throw error
      })
    )
    return (await Promise.all(lists)).flat()
  }
  const remember = async (account: Account, id: string) => {
    if (account === base) return
    const row = { id, key_id: account.settings.keyId }
    await write(
      trx =>
        trx
          .insertInto('provider_orders')
          .values(row)
          .onConflict(conflict => conflict.doNothing())
          .execute(),
      { shows: 'nothing' }
    )
  }

  const gateway: PaymentGateway = {
    async createOrder(draft) {
      const [account] = await listAccounts(db)
      // The keys were changed after the order was saved as a test, or as one for money.
      if (draft.mode && draft.mode !== (usesTestMode(account.settings) ? 'test' : 'live'))
        throw new PaymentError('refused', 'The mode has changed', { problem: 'content' })
      const order = await account.gateway.createOrder(draft)
      await remember(account, order.id)
      return order
    },
    async findOrder(receipt) {
      const [account] = await listAccounts(db)
      const order = await account.gateway.findOrder(receipt)
      if (order) await remember(account, order.id)
      return order
    },
    fetchOrder: id => ask(id, each => each.fetchOrder(id)),
    listOrderPayments: id => ask(id, each => each.listOrderPayments(id)),
    fetchPayment: id => ask(id, each => each.fetchPayment(id)),
    listPayments: period => collect(each => each.listPayments(period)),
    capture: payment => ask(payment.order_id ?? '', each => each.capture(payment)),
    refund: (id, key, body) => ask(id, each => each.refund(id, key, body)),
    fetchRefund: id => ask(id, each => each.fetchRefund(id)),
    listRefunds: id => ask(id, each => each.listRefunds(id)),
    listRecentRefunds: period => collect(each => each.listRecentRefunds(period)),
    fetchDispute: id => ask(id, each => each.fetchDispute(id)),
    listDisputes: () => collect(each => each.listDisputes())
  }

  return {
    settings,
    gateway: writeOnlyIfLive(gateway, () => isLive(deps)),
    current: async () => (await listAccounts(db))[0].settings,
    of: async (reader, id) => ((await findAccount(reader, id)) ?? base).settings,
    async isSigned(id, paymentId, signature) {
      const own = await findAccount(db, id)
      const accounts = own ? [own] : await listAccounts(db)
      return accounts.some(each => isSignedPayment(each.settings, id, paymentId, signature))
    },
    async isSignedWebhook(body, signature) {
      const accounts = await listAccounts(db)
      return accounts.some(each => isSignedWebhook(each.settings, body, signature))
    },
    async test(keys) {
      const problem = keys && !config.razorpay && findModeProblem(config, keys.keyId)
      if (problem)
        throw new ShopError('INVALID_INPUT', { fields: { 'value.keyId': MODE_TEXTS[problem] } })
      // Keys can be removed even if they don't work any more.
      if (keys?.keyId === '') return sandboxWorks()
      const account = keys ? toAccount(deps, keys) : (await listAccounts(db))[0]
      const now = Date.now()
      try {
        await account.gateway.listPayments({ from: now, to: now, skip: 0 })
      } catch (cause) {
        if (!(cause instanceof PaymentError)) throw cause
        if (isWrongKey(cause)) {
          const text = t(
            'Razorpay doesn’t know this key id with this secret. Please copy both again.'
          )
          throw new ShopError('INVALID_INPUT', { cause, fields: { 'value.keySecret': text } })
        }
        const message = t('Razorpay could not be reached. Please try again in a minute.')
        throw new ShopError('PAYMENTS_UNAVAILABLE', { cause, message })
      }
      if (account.settings.isSandbox) return sandboxWorks()
      return usesTestMode(account.settings)
        ? ADMIN_MESSAGES.testKeysWork
        : ADMIN_MESSAGES.liveKeysWork
    }
  }
}

function toAccount(deps: Deps, keys: SavedKeys, earlierSecrets: readonly string[] = []): Account {
  const read = (field: 'keySecret' | 'webhookSecret') =>
    readSecretField(deps, 'payments', field, keys[field])
  const secrets = [read('webhookSecret') ?? [], ...earlierSecrets].flat()
  const settings = {
    ...deps.config.provider,
    keyId: keys.keyId,
    // With a secret that nobody knows, signatures are refused until the owner enters it again.
    keySecret: read('keySecret') ?? randomBytes(32).toString('hex'),
    webhookSecrets: [...new Set(secrets)].slice(0, MAX_WEBHOOK_SECRETS),
    isSandbox: false
  }
  return { settings, gateway: createRazorpay(settings) }
}

function isWrongKey(error: unknown) {
  return error instanceof PaymentError && error.problem === 'wrong_key'
}
