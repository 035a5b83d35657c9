import type { Store } from './store.ts'
import type { CaptureRule, Order, Payment, Refund } from './entities.ts'

export interface Page {
  from?: number | undefined
  to?: number | undefined
  count?: number | undefined
  skip?: number | undefined
}

type Row = { entity: string }

const MAX_COUNT = 100
const DEFAULT_COUNT = 10

export function findOrder({ sql }: Store, id: string): Order | undefined {
  return parseEntity<Order>(sql('select entity from orders where id = ?').get(id))
}

export function findCaptureRule({ sql }: Store, orderId: string): CaptureRule | undefined {
  const row = sql('select capture as entity from orders where id = ?').get(orderId)
  return parseEntity<CaptureRule>(row)
}

export function listOrders({ sql }: Store, { receipt, ...page }: Page & { receipt?: string | undefined }): Order[] {
  return parseEntities<Order>(
    sql(
      `select entity from orders where (@receipt is null or receipt = @receipt) and created_at between @from and @to
         order by created_at desc, rowid desc limit @count offset @skip`
    ).all({ receipt: receipt ?? null, ...toPageParameters(page) })
  )
}

export function insertOrder({ sql }: Store, order: Order, capture: CaptureRule): void {
  sql('insert into orders (id, receipt, created_at, entity, capture) values (?, ?, ?, ?, ?)').run(
    order.id,
    order.receipt,
    order.created_at,
    JSON.stringify(order),
    JSON.stringify(capture)
  )
}

export function saveOrder({ sql }: Store, order: Order): void {
  sql('update orders set entity = ? where id = ?').run(JSON.stringify(order), order.id)
}

export function findPayment({ sql }: Store, id: string): Payment | undefined {
  return parseEntity<Payment>(sql('select entity from payments where id = ?').get(id))
}

export function listPayments({ sql }: Store, page: Page): Payment[] {
  return parseEntities<Payment>(
    sql(
      `select entity from payments where created_at between @from and @to
         order by created_at desc, rowid desc limit @count offset @skip`
    ).all(toPageParameters(page))
  )
}

export function listOrderPayments({ sql }: Store, orderId: string): Payment[] {
  const statement = sql('select entity from payments where order_id = ? order by created_at desc, rowid desc')
  return parseEntities<Payment>(statement.all(orderId))
}

export function listAuthorized({ sql }: Store): Payment[] {
  return parseEntities<Payment>(sql("select entity from payments where status = 'authorized'").all())
}

export function savePayment({ sql }: Store, payment: Payment): void {
  sql(
    `insert into payments (id, order_id, created_at, status, entity) values (?, ?, ?, ?, ?)
       on conflict (id) do update set status = excluded.status, entity = excluded.entity`
  ).run(payment.id, payment.order_id, payment.created_at, payment.status, JSON.stringify(payment))
}

export function findRefund({ sql }: Store, id: string): Refund | undefined {
  return parseEntity<Refund>(sql('select entity from refunds where id = ?').get(id))
}

export function listRefunds({ sql }: Store, paymentId: string): Refund[] {
  const statement = sql('select entity from refunds where payment_id = ? order by created_at desc, rowid desc')
  return parseEntities<Refund>(statement.all(paymentId))
}

export function listPendingRefunds({ sql }: Store, maxCreatedAt: number): Refund[] {
  const statement = sql("select entity from refunds where status = 'pending' and created_at <= ?")
  return parseEntities<Refund>(statement.all(maxCreatedAt))
}

export function findRefundByKey({ sql }: Store, key: string): { request: string; refund: Refund } | undefined {
  const row = sql('select request, entity from refunds where idempotency_key = ?').get(key) as
    (Row & { request: string }) | undefined
  return row && { request: row.request, refund: JSON.parse(row.entity) as Refund }
}

export function insertRefund({ sql }: Store, refund: Refund, key?: string, request?: string): void {
  sql(
    `insert into refunds (id, payment_id, created_at, status, entity, idempotency_key, request)
       values (?, ?, ?, ?, ?, ?, ?)`
  ).run(
    refund.id,
    refund.payment_id,
    refund.created_at,
    refund.status,
    JSON.stringify(refund),
    key ?? null,
    request ?? null
  )
}

export function saveRefund({ sql }: Store, refund: Refund): void {
  const statement = sql('update refunds set status = ?, entity = ? where id = ?')
  statement.run(refund.status, JSON.stringify(refund), refund.id)
}

function toPageParameters({ from, to, count, skip }: Page): Required<Record<keyof Page, number>> {
  return {
    from: from ?? 0,
    to: to ?? Number.MAX_SAFE_INTEGER,
    count: Math.min(count ?? DEFAULT_COUNT, MAX_COUNT),
    skip: skip ?? 0
  }
}

function parseEntity<Entity>(row: unknown): Entity | undefined {
  return row === undefined ? undefined : (JSON.parse((row as Row).entity) as Entity)
}

function parseEntities<Entity>(rows: unknown[]): Entity[] {
  return rows.map(row => JSON.parse((row as Row).entity) as Entity)
}
