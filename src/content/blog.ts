import * as z from 'zod/mini'
import { BlogPost } from '#lib/contract/content.ts'
import { isPage } from '#lib/site-pages.ts'
import { listProductIds } from './catalog.ts'
import { read } from './reads.ts'
import { renderMarkdown } from './render-markdown.ts'
import { reads } from './source.ts'

/** A post without its text: what lists show. */
export type PostCard = Omit<BlogPost, 'content'>

const fetchPosts = reads('GET /blog', z.array(BlogPost))

/** The id of every post, in the API's order. */
export async function listPostIds(): Promise<string[]> {
  return (await fetchPosts()).map(({ id }) => id)
}

/** Every post, in the API's order. */
export const getPosts = read('posts', async (): Promise<PostCard[]> => (await fetchPosts()).map(toCard))

/** One post. Throws when the API has none of this id. */
export const getPost = read('post', findPost)

/** The text of a post as HTML. Its links are looked at: one to a product that is sold no more must not keep the shop from publishing. */
export const getPostText = read('post-text', async (id: string): Promise<string> => {
  const [{ content }, products, posts] = await Promise.all([findPost(id), listProductIds(), listPostIds()])
  const pages = { products: new Set(products), posts: new Set(posts) }
  return renderMarkdown(content, address => isPage(address, pages))
})

/** The latest posts besides one. */
export const getOtherPosts = read('other-posts', async (id: string, most: number): Promise<PostCard[]> => {
  const others = (await fetchPosts()).filter(post => post.id !== id)
  return others.slice(0, most).map(toCard)
})

async function findPost(id: string): Promise<BlogPost> {
  const post = (await fetchPosts()).find(candidate => candidate.id === id)
  if (!post) throw new Error(`The API knows no post ${id}`)
  return post
}

function toCard({ content: _, ...card }: BlogPost): PostCard {
  return card
}
