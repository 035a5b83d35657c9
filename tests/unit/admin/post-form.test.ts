import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEmptyPost, POST_FORM, toPostAuthor, toPostFields } from '#lib/admin/content-forms.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { PostFields, type AdminPost } from '#lib/contract/content.ts'

const NOW = Date.parse('2026-11-21T20:00:00.000Z')
const POST: AdminPost = {
  ...{ _id: 'story', id: 'story', title: 'A story', author: 'Meena', excerpt: 'In short.' },
  ...{ content: 'Once.\n', image: 'pot-1.jpg', createdAt: '2026-11-20T19:00:00.000Z' },
  ...{ version: 2, hiddenAt: null },
  picture: { key: 'pot-1', width: 900, height: 600, alt: 'A pot', color: '#804020' }
}

test.for([
  ['Meena Iyer', 'Palagaram', 'Meena Iyer'],
  ['Administrator', 'Palagaram', 'Palagaram'],
  ['meena', 'Palagaram', 'Palagaram'],
  ['Administrator', '', 'Administrator']
] as const)('The author of a new post is for %s of the shop “%s”: %s', ([name, shop, author]) => {
  expect(toPostAuthor({ name, email: 'meena@example.com' }, shop)).toBe(author)
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
    const refused = ['author', 'content', 'excerpt', 'picture.alt', 'title']
    expect(Object.keys(check(typed)).toSorted()).toEqual(refused)
    const saved = POST_FORM.toTyped(POST)
    expect(check(saved)).toEqual({})
    for (const day of ['', '2026-11-23']) expect(check({ ...saved, day })).toHaveProperty('day')
  })
})
