import { describe, expect, test } from 'vitest'
import {
  createEmptyPost,
  extractPostFields,
  findDifference,
  validatePost,
  parsePostForm,
  toPostAuthor,
  toPostFormValues,
  formatPostField
} from '#lib/admin/post-form.ts'
import { PostFields, type AdminPost } from '#lib/contract/content.ts'

const NOW = Date.parse('2026-11-21T20:00:00.000Z')
const POST: AdminPost = {
  _id: 'story',
  id: 'story',
  title: 'A story',
  author: 'Meena',
  excerpt: 'In short.',
  content: 'Once.\n',
  picture: { key: 'pot-1', width: 900, height: 600, alt: 'A pot', color: '#804020' },
  image: 'pot-1.jpg',
  createdAt: '2026-11-20T19:00:00.000Z',
  version: 2,
  hiddenAt: null
}

describe('Author of a new post', () => {
  test.for([
    ['Meena Iyer', 'meena@example.com', 'Meena Iyer'],
    ['Administrator', 'meena@example.com', 'Palagaram'],
    ['meena', 'meena@example.com', 'Palagaram']
  ] as const)('is for %s <%s>: %s', ([name, email, author]) => {
    expect(toPostAuthor({ name, email }, 'Palagaram')).toBe(author)
  })

  test('is the account’s name while the shop has no name', () => {
    expect(toPostAuthor({ name: 'Administrator', email: 'meena@example.com' }, '')).toBe(
      'Administrator'
    )
  })
})

describe('Blog post form', () => {
  test('sends the original values if nothing was edited', () => {
    const fields = parsePostForm(toPostFormValues(POST), POST.picture)
    expect(fields).toEqual(extractPostFields(POST))
    expect(fields.day).toBe('2026-11-21')
    expect(PostFields.safeParse(fields).success).toBe(true)
  })

  test('reports every field that the API would refuse', () => {
    const values = createEmptyPost('', NOW)
    expect(values.day).toBe('2026-11-22')
    expect(Object.keys(validatePost(values, true, NOW))).toEqual([
      'title',
      'excerpt',
      'content',
      'picture.alt',
      'author'
    ])
    expect(validatePost(toPostFormValues(POST), true, NOW)).toEqual({})
    for (const day of ['', '2026-11-23'])
      expect(validatePost({ ...toPostFormValues(POST), day }, true, NOW)).toHaveProperty('day')
  })

  test('formats values for display', () => {
    expect(formatPostField('content', 'one  two\nthree')).toBe('3 words')
    expect(formatPostField('picture', null)).toBe('empty')
    expect(formatPostField('hidden', true)).toBe('yes')
  })

  test('shows only the part in which two long texts differ', () => {
    const [mine, theirs] = ['a', 'b'].map(
      letter => `${'word '.repeat(100)}${letter}${' more'.repeat(100)}`
    )
    expect(findDifference(mine ?? '', theirs ?? '')).toMatch(/^…(word ){2,5}a( more){20,}.*…$/)
    expect(findDifference('Short.', 'Shorter.')).toBe('Short.')
    expect(findDifference('', 'There was something.')).toBe('')
  })
})
