/** `picture` is a file name in the picture manifest, `file` a Markdown file in this folder. */
export interface SeedPost {
  id: string
  title: string
  author: string
  excerpt: string
  picture: string
  createdAt: string
  file: string
}

export const SEED_POSTS: readonly SeedPost[] = [
  {
    id: 'keeping-sweets-fresh-on-the-road',
    title: 'Keeping Sweets Fresh, at Home and on the Road',
    author: 'Karthik Sundaram',
    excerpt:
      'Which boxes belong in the fridge, which never do, and how to carry murukku across the country in one piece.',
    picture: 'hero-sweets.jpg',
    createdAt: '2026-11-12T05:30:00.000Z',
    file: 'keeping-sweets-fresh-on-the-road.md'
  },
  {
    id: 'sweets-for-deepavali-and-karthigai',
    title: 'From Deepavali to Karthigai: What to Cook, and When',
    author: 'Revathi Sundaram',
    excerpt:
      'Legiyam before dawn, a tin of mixture for visitors, puffed rice by lamplight: the festival weeks, dish by dish.',
    picture: 'blog-festival-sweets.jpg',
    createdAt: '2026-10-24T05:30:00.000Z',
    file: 'sweets-for-deepavali-and-karthigai.md'
  },
  {
    id: 'reading-jaggery-syrup',
    title: 'Jaggery Syrup, from One String to the Snap',
    author: 'Revathi Sundaram',
    excerpt: 'One pot of paagu can become adhirasam, manoharam or kadalai mittai. The difference is a few minutes.',
    picture: 'adhirasam.jpg',
    createdAt: '2026-09-19T05:30:00.000Z',
    file: 'reading-jaggery-syrup.md'
  },
  {
    id: 'what-goes-into-a-seer-varisai',
    title: 'What Goes into a Seer Varisai',
    author: 'Revathi Sundaram',
    excerpt:
      'Who brings the plates, why they are counted in odd numbers, and how to plan them without a family quarrel.',
    picture: 'seer-varisai-hamper.jpg',
    createdAt: '2026-08-08T05:30:00.000Z',
    file: 'what-goes-into-a-seer-varisai.md'
  },
  {
    id: 'why-manapparai-murukku-is-famous',
    title: 'Why Manapparai Murukku Is Famous',
    author: 'Karthik Sundaram',
    excerpt: 'Brackish water, a railway platform and two rounds of frying: how a small town became famous.',
    picture: 'blog-murukku-story.jpg',
    createdAt: '2026-06-27T05:30:00.000Z',
    file: 'why-manapparai-murukku-is-famous.md'
  },
  {
    id: 'caring-for-a-pickle-jar',
    title: 'Caring for a Pickle Jar',
    author: 'Revathi Sundaram',
    excerpt:
      'A dry spoon, a layer of oil and a little sun. What spoils a pickle, and what keeps it good until next summer.',
    picture: 'blog-pickle-care.jpg',
    createdAt: '2026-05-16T05:30:00.000Z',
    file: 'caring-for-a-pickle-jar.md'
  }
]
