import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AdminProduct } from '#lib/contract/catalog.ts'
import type { AdminDeal, DealChange, DealDraft } from '#lib/contract/deals.ts'
import { ShopError } from '#lib/errors.ts'
import { DEAL_MESSAGES } from '#lib/admin/deal-form.ts'
import { formatDayAndTime, type IsoTime } from '#lib/time.ts'
import { record, type Actor } from '../accounts/audit.ts'
import { findAnyProduct, listAllProducts } from '../catalog/read-products.ts'
import { raiseCounter } from '../platform/db/counters.ts'
import type { Db, DealRow, Trx } from '../platform/db/tables.ts'
import type { DataDeps } from '../platform/db/write.ts'
import { invalidField } from '../platform/http/validate.ts'
import { isoNow } from '../platform/process/clock.ts'
import {
  findOverlap,
  listAdminDeals,
  toStoredDeal,
  updateDeal,
  type AdminDealRow
} from './queries.ts'
import { toDiscounted } from './running-deals.ts'

const texts = {
  dealOverlapText: (from: string, to: string) =>
    `This product already has a deal from ${from} to ${to}.`
}

export async function readAdminDeals(db: Db, now: string): Promise<AdminDeal[]> {
  const products = new Map((await listAllProducts(db)).map(product => [product.id, product]))
  return (await listAdminDeals(db)).flatMap(row => {
    const product = products.get(row.product_id)
    return product ? [toAdminDeal(row, product, now)] : []
  })
}

/** Throws DEAL_NOT_FOUND. */
async function readAdminDeal(db: Db, id: string, now: IsoTime): Promise<AdminDeal> {
  const [row] = await listAdminDeals(db, id)
  const product = row && (await findAnyProduct(db, row.product_id))
  if (!product) throw new ShopError('DEAL_NOT_FOUND')
  return toAdminDeal(row, product, now)
}

function toAdminDeal(row: AdminDealRow, product: AdminProduct, serverTime: string): AdminDeal {
  const { version, drawn } = row
  return {
    ...toDiscounted({ ...row, product }),
    version,
    drawn,
    hidden: product.hiddenAt !== null,
    serverTime
  }
}

/** Idempotent. Throws INVALID_INPUT, PRODUCT_NOT_FOUND, DEAL_OVERLAPS. */
export async function createDeal(
  { write, clock }: DataDeps,
  actor: Actor,
  { productId, discountPercentage, startTime, endTime }: DealDraft
): Promise<AdminDeal> {
  const now = isoNow(clock)
  requireFutureEnd(endTime, now)
  const draft = {
    id: randomUUID(),
    product_id: productId,
    percent: discountPercentage,
    starts_at: startTime,
    ends_at: endTime
  }
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const product = await findAnyProduct(trx, productId)
    if (product?.hiddenAt !== null) throw new ShopError('PRODUCT_NOT_FOUND')
    const overlap = await findOverlap(trx, draft, now)
    if (overlap && !isSame(overlap, draft)) throw overlapError(overlap)
    if (!overlap) {
      await trx.insertInto('deals').values(toStoredDeal(draft)).execute()
      await record(trx, {
        actor,
        at: now,
        kind: 'deal',
        id: draft.id,
        action: 'created',
        after: toAuditFields(draft)
      })
    }
    return readAdminDeal(trx, (overlap ?? draft).id, now)
  })
}

function isSame(deal: DealRow, draft: DealRow): boolean {
  return (
    deal.percent === draft.percent &&
    deal.starts_at === draft.starts_at &&
    deal.ends_at === draft.ends_at
  )
}

/** Idempotent. Throws DEAL_NOT_FOUND, EDIT_CONFLICT, DEAL_ENDED, DEAL_OVERLAPS, INVALID_INPUT. */
export function changeDeal(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  { version, discountPercentage, startTime, endTime }: DealChange
): Promise<AdminDeal> {
  const now = isoNow(clock)
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const [deal] = await listAdminDeals(trx, id)
    if (!deal) throw new ShopError('DEAL_NOT_FOUND')
    const terms = { percent: discountPercentage, starts_at: startTime, ends_at: endTime }
    const draft: DealRow = { id, product_id: deal.product_id, ...terms }
    if (!isDeepStrictEqual(toAuditFields(draft), toAuditFields(deal))) {
      if (version !== deal.version) throw new ShopError('EDIT_CONFLICT')
      await requireChangeable(trx, deal, draft, now)
      await updateDeal(trx, draft)
      const [before, after] = [toAuditFields(deal), toAuditFields(draft)]
      await record(trx, { actor, at: now, kind: 'deal', id, action: 'changed', before, after })
    }
    return readAdminDeal(trx, id, now)
  })
}

async function requireChangeable(
  trx: Trx,
  deal: DealRow,
  draft: DealRow,
  now: string
): Promise<void> {
  // Extending an ended deal would make its expired discounts valid again.
  if (deal.ends_at <= now) throw new ShopError('DEAL_ENDED')
  requireFutureEnd(draft.ends_at, now)
  const other = await findOverlap(trx, draft, now)
  if (other) throw overlapError(other)
}

/** Deletes a deal and the discounts drawn for it. Throws DEAL_NOT_FOUND, EDIT_CONFLICT. */
export function removeDeal(
  { write, clock }: DataDeps,
  actor: Actor,
  id: string,
  version?: number
): Promise<void> {
  return write(async trx => {
    await raiseCounter(trx, 'catalog')
    const [deal] = await listAdminDeals(trx, id)
    if (!deal) throw new ShopError('DEAL_NOT_FOUND')
    if (version !== undefined && version !== deal.version) throw new ShopError('EDIT_CONFLICT')
    await trx.deleteFrom('deals').where('id', '=', id).execute()
    await record(trx, {
      actor,
      at: isoNow(clock),
      kind: 'deal',
      id,
      action: 'deleted',
      before: toAuditFields(deal)
    })
  })
}

function requireFutureEnd(endTime: string, now: string): void {
  if (endTime <= now) throw invalidField('endTime', DEAL_MESSAGES.dealEndPast)
}

function overlapError({ starts_at, ends_at }: DealRow): ShopError {
  const message = texts.dealOverlapText(formatDayAndTime(starts_at), formatDayAndTime(ends_at))
  return new ShopError('DEAL_OVERLAPS', { message })
}

function toAuditFields({ product_id, percent, starts_at, ends_at }: DealRow): object {
  return {
    productId: product_id,
    discountPercentage: percent,
    startTime: starts_at,
    endTime: ends_at
  }
}
