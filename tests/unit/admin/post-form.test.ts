import { describe, expect, test } from 'vitest'
import {
  emptyPost,
  fieldsOfPost,
  passage,
  postProblems,
  toPostFields,
  valuesOfPost,
  writtenInPost
} from '#lib/admin/post-form.ts'
import { PostFields, type AdminPost } from '#lib/contract/admin/posts.ts'

const NOW = Date.parse('2026-11-21T20:00:00.000Z')
const STORY: AdminPost = {
  ...{ _id: 'story', id: 'story', title: 'A story', author: 'Meena', excerpt: 'In short.', content: 'Once.\n' },
  picture: { key: 'pot-1', width: 900, height: 600, alt: 'A pot', color: '#804020' },
  ...{ image: 'pot-1.jpg', createdAt: '2026-11-20T19:00:00.000Z', version: 2, hiddenAt: null }
}

describe('the form of a post', () => {
  test('sends back what it was filled with', () => {
    const fields = toPostFields(valuesOfPost(STORY), STORY.picture)
    expect(fields).toEqual(fieldsOfPost(STORY))
    expect(fields.day).toBe('2026-11-21')
    expect(PostFields.safeParse(fields).success).toBe(true)
  })

  test('finds at first sight what the shop would refuse', () => {
    const values = emptyPost('', NOW)
    expect(values.day).toBe('2026-11-22')
    expect(Object.keys(postProblems(values, true, NOW))).toEqual([
      'title',
      'excerpt',
      'content',
      'picture.alt',
      'author'
    ])
    expect(postProblems(valuesOfPost(STORY), true, NOW)).toEqual({})
    for (const day of ['', '2026-11-23'])
      expect(postProblems({ ...valuesOfPost(STORY), day }, true, NOW)).toHaveProperty('day')
  })

  test('writes values for people', () => {
    expect(writtenInPost('content', 'one  two\nthree')).toBe('3 words')
    expect(writtenInPost('picture', null)).toBe('nothing')
    expect(writtenInPost('hidden', true)).toBe('yes')
  })

  test('tells of a long text the passage that differs', () => {
    const [mine, theirs] = ['a', 'b'].map(letter => `${'word '.repeat(100)}${letter}${' more'.repeat(100)}`)
    expect(passage(mine ?? '', theirs ?? '')).toMatch(/^…(word ){2,5}a( more){20,}.*…$/)
    expect(passage('Short.', 'Shorter.')).toBe('Short.')
    expect(passage('', 'There was something.')).toBe('')
  })
})
