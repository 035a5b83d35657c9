import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEmptyPost, POST_FORM, toPostAuthor, toPostFields } from '#lib/admin/content-forms.ts'
import { findDifference } from '#lib/admin/field-values.ts'
import type { Typed } from '#lib/admin/fields.ts'
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

const check = (typed: Typed) => POST_FORM.check?.(POST_FORM.parse(typed), typed) ?? {}

describe('Blog post form', () => {
  beforeEach(() => void vi.useFakeTimers({ now: NOW }))
  afterEach(() => void vi.useRealTimers())

  test('sends the original values if nothing was edited', () => {
    const fields = POST_FORM.parse(POST_FORM.toTyped(POST))
    expect(fields).toEqual(toPostFields(POST))
    expect(fields.day).toBe('2026-11-21')
    expect(PostFields.safeParse(fields).success).toBe(true)
  })

  test('reports every field that the API would refuse', () => {
    const typed = { ...createEmptyPost('', NOW), picture: { ...POST.picture, alt: ' ' } }
    expect(typed['day' as keyof typeof typed]).toBe('2026-11-22')
    expect(Object.keys(check(typed)).toSorted()).toEqual([
      'author',
      'content',
      'excerpt',
      'picture.alt',
      'title'
    ])
    const saved = POST_FORM.toTyped(POST)
    expect(check(saved)).toEqual({})
    for (const day of ['', '2026-11-23']) expect(check({ ...saved, day })).toHaveProperty('day')
  })

  test('formats values for display', () => {
    expect(POST_FORM.format('content', 'one  two\nthree')).toBe('3 words')
    expect(POST_FORM.format('picture', null)).toBe('empty')
    expect(POST_FORM.format('hidden', true)).toBe('yes')
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
