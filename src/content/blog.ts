import type { BlogPost } from '#lib/contract/content.ts'
import { fetchSiteContent, readIsPage, trackedRead } from './reads.ts'
import { renderMarkdown } from './render-markdown.ts'

type PostCard = Omit<BlogPost, 'content'>

const fetchPosts = async (): Promise<BlogPost[]> => (await fetchSiteContent()).posts

export async function listPostIds(): Promise<string[]> {
  return (await fetchPosts()).map(({ id }) => id)
}

export const getPosts = trackedRead('posts', async (): Promise<PostCard[]> =>
  (await fetchPosts()).map(toCard)
)

export const getPost = trackedRead('post', findPost)

export const getPostText = trackedRead('post-text', async (id: string): Promise<string> => {
  const { content } = await findPost(id)
  return renderMarkdown(content, await readIsPage())
})

export const getOtherPosts = trackedRead(
  'other-posts',
  async (id: string, count: number): Promise<PostCard[]> => {
    const others = (await fetchPosts()).filter(post => post.id !== id)
    return others.slice(0, count).map(toCard)
  }
)

async function findPost(id: string): Promise<BlogPost> {
  const post = (await fetchPosts()).find(candidate => candidate.id === id)
  if (!post) throw new Error(`The API has no post ${id}`)
  return post
}

function toCard({ content: _, ...card }: BlogPost): PostCard {
  return card
}
