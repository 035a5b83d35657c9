import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '#lib/contract/admin/audit.ts'
import type { AdminPost, PostDraft } from '#lib/contract/admin/posts.ts'
import type { BlogPost } from '#lib/contract/content.ts'
import { administrator, call } from './accounts.ts'
import type { Engine } from './database.ts'
import { openShop, type Reply, type Shop } from './shop.ts'

export const PONGAL: Omit<PostDraft, 'key'> = {
  title: 'Pongal, Sweet and Salt',
  author: 'Meena',
  excerpt: 'Two pots boil over on one morning.',
  content: 'Rice, *jaggery* and a **new pot**.',
  picture: null,
  day: '2026-11-21',
  hidden: false
}

/** A shop with a post and its owner logged in. */
export async function openBlog(engine: Engine, options: Parameters<typeof openShop>[1] = {}) {
  const shop: Shop = await openShop(engine, {
    products: { laddu: {} },
    posts: { story: { title: 'A story', content: 'Once.\n' } },
    ...options
  })
  const { token } = await administrator(shop)
  const ask = (line: string, body?: unknown): Promise<Reply> => call(shop, line, { token, body })
  return {
    ...shop,
    ask,
    /** Sends a post as its form does. */
    submit: (draft: Partial<PostDraft> = {}) => ask('POST /admin/posts', { ...PONGAL, key: randomUUID(), ...draft }),
    change: (id: string, change: object) => ask(`PATCH /admin/posts/${id}`, change),
    stored: async (id: string) => (await ask(`GET /admin/posts/${id}`)).body as AdminPost,
    /** What is remembered of a post, the newest first: `changed {"title":"A"} {"title":"B"}`. */
    async history(id: string): Promise<string[]> {
      const { body } = await ask(`GET /admin/audit?kind=post&id=${id}`)
      return (body as AuditEntry[]).map(
        ({ what, before, after }) => `${what} ${JSON.stringify(before)} ${JSON.stringify(after)}`
      )
    },
    /** What visitors find. */
    blog: async () => (await shop.get('/blog')).body as BlogPost[]
  }
}
