import { createHmac } from 'node:crypto'
import Fastify from 'fastify'
import type { Publish } from '#lib/contract/admin.ts'
import { createPublisher, createRepublish } from '#server/publishing/republish.ts'
import type { Engine } from './database.ts'
import { openTestPublisher } from './test-publisher.ts'
import { openShop, type Reply } from './shop.ts'

const REBUILD_SECRET = 'a-rebuild-secret'

export async function openPublishingShop(engine: Engine) {
  const publisher = await openTestPublisher(engine)
  const shop = await openShop(engine, {
    publishing: createPublisher(publisher),
    clock: publisher.clock,
    config: { rebuildSecret: REBUILD_SECRET }
  })
  const runRepublish = createRepublish({ ...publisher, log: Fastify().log }, 0)
  return {
    shop,
    publisher,
    /** Runs the republish job once, without its usual delay. */
    runJob: () => runRepublish(new AbortController().signal),
    rebuild: (body = '{"from":"a cron job"}', signature = sign(body), timestamp?: string) =>
      shop.request({
        method: 'POST',
        url: '/api/hooks/rebuild',
        payload: body,
        headers: {
          'content-type': 'application/json',
          'x-shop-signature': signature,
          ...(timestamp !== undefined && { 'x-shop-timestamp': timestamp })
        }
      }),
    publishState: (id: string, signature = sign(id)) =>
      shop.request({ url: `/api/hooks/rebuild/${id}`, headers: { 'x-shop-signature': signature } })
  }
}

export function sign(payload: string, secret = REBUILD_SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`
}

export function parsePublish({ status, text, body }: Reply): Publish {
  if (status !== 200) throw new Error(`${status} ${text}`)
  return body as Publish
}
