import type { Product } from '#lib/contract/catalog.ts'
import type { BlogPost } from '#lib/contract/content.ts'
import { paths } from '#lib/paths.ts'

/** The addresses of one product in stock and of one post. Throws when the shop has none. */
export async function firstOf(url: string): Promise<{ id: string; product: string; post: string; image: string }> {
  const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]
  const posts = (await (await fetch(`${url}/api/blog`)).json()) as BlogPost[]
  const product = products.find(({ stock }) => stock > 0)
  const [post] = posts
  if (!product || !post) throw new Error('The shop has no product in stock or no post')
  return { id: product._id, product: paths.product(product._id), post: paths.blog(post._id), image: product.image }
}
