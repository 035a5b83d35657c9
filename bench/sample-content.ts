import type { Product } from '#lib/contract/catalog.ts'
import type { BlogPost } from '#lib/contract/content.ts'
import { paths } from '#lib/paths.ts'

export async function findSampleContent(
  url: string
): Promise<{ id: string; product: string; post: string; image: string }> {
  const products = (await (await fetch(`${url}/api/products`)).json()) as Product[]
  const posts = (await (await fetch(`${url}/api/blog`)).json()) as BlogPost[]
  const product = products.find(({ stock }) => stock > 0)
  const [post] = posts
  if (!product || !post) throw new Error('The benchmark needs a product in stock and a blog post')
  return { id: product._id, product: paths.product(product._id), post: paths.blog(post._id), image: product.image }
}
