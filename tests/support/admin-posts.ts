import { randomUUID } from 'node:crypto'
import type { AuditEntry } from '#lib/contract/admin.ts'
import type { AdminPost, BlogPost, PostDraft } from '#lib/contract/content.ts'
import { withAdmin } from './admin-products.ts'
import type { Engine } from './database.ts'
import { openShop } from './shop.ts'

export const PONGAL: Omit<PostDraft, 'key'> = {
  title: 'Pongal, Sweet and Salt',
  author: 'Meena',
  excerpt: 'Two pots boil over on one morning.',
  content: 'Rice, *jaggery* and a **new pot**.',
  picture: null,
  day: '2026-11-21',
  hidden: false
}

export async function openAdminBlog(engine: Engine, options: Parameters<typeof openShop>[1] = {}) {
  const content = {
    products: { laddu: {} },
    posts: { story: { title: 'A story', content: 'Once.\n' } }
  }
  const shop = await withAdmin(await openShop(engine, { ...content, ...options }))
  const { callAsAdmin } = shop
  return {
    ...shop,
    createPost: (draft: Partial<PostDraft> = {}) =>
      callAsAdmin('POST /admin/posts', { ...PONGAL, key: randomUUID(), ...draft }),
    changePost: (id: string, change: object) => callAsAdmin(`PATCH /admin/posts/${id}`, change),
    fetchPost: async (id: string) =>
      (await callAsAdmin(`GET /admin/posts/${id}`)).body as AdminPost,
    /** Returns for example `changed {"title":"A"} {"title":"B"}`, newest first. */
    async history(id: string): Promise<string[]> {
      const { body } = await callAsAdmin(`GET /admin/audit?kind=post&id=${id}`)
      return (body as AuditEntry[]).map(
        ({ action, before, after }) =>
          `${action} ${JSON.stringify(before)} ${JSON.stringify(after)}`
      )
    },
    publicPosts: async () => (await shop.get('/blog')).body as BlogPost[]
  }
}
