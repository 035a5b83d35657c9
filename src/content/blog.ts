import * as z from 'zod/mini'
import { BlogPost } from '#lib/contract/content.ts'
import { reads } from './source.ts'

/** Every post, in the API's order. */
export const getPosts: () => Promise<BlogPost[]> = reads('GET /blog', z.array(BlogPost))

/** One post. Throws when the API has none of this id. */
export async function getPost(id: string): Promise<BlogPost> {
  const post = (await getPosts()).find(candidate => candidate.id === id)
  if (!post) throw new Error(`The API knows no post ${id}`)
  return post
}
