import { describe, expect, test } from 'vitest'
import { toImageUrl, toPictureFileName, toPictureSources, listPictureWidths } from '#lib/images.ts'

const API = 'https://api.palagaram.test/api'

describe('Absolute image URL', () => {
  test('is returned without the segment ‘uploads’ after /assets/', () => {
    expect(toImageUrl('https://cdn.test/assets/uploads/mysore-pak.jpg', API)).toBe(
      'https://cdn.test/assets/mysore-pak.jpg'
    )
  })

  test.for([
    'https://cdn.test/assets/mysore-pak.jpg',
    'http://cdn.test/mysore-pak.jpg?width=200',
    'https://res.test/demo/image/uploads/v1/mysore-pak.jpg',
    'https://cdn.test/assets/uploads.jpg',
    'https://cdn.test/a.jpg?from=/assets/uploads/b.jpg'
  ])('is unchanged if its path does not contain /assets/uploads/: %s', address => {
    expect(toImageUrl(address, API)).toBe(address)
  })

  test('an incomplete URL does not throw', () => {
    expect(toImageUrl('https://', API)).toBe('https://')
  })
})

describe('Relative image path', () => {
  test('is resolved to /assets next to the API path', () => {
    for (const base of [
      'https://api.palagaram.test/api',
      'https://api.palagaram.test/api/',
      'https://api.palagaram.test'
    ]) {
      expect(toImageUrl('mysore-pak.jpg', base)).toBe(
        'https://api.palagaram.test/assets/mysore-pak.jpg'
      )
    }
  })

  test('is resolved to /assets if the API path is relative', () => {
    expect(toImageUrl('mysore-pak.jpg', '/api')).toBe('/assets/mysore-pak.jpg')
  })

  test.for([
    '/mysore-pak.jpg',
    'assets/mysore-pak.jpg',
    '/uploads/mysore-pak.jpg',
    'assets/uploads/mysore-pak.jpg'
  ])('is accepted in several notations: %s', path => {
    expect(toImageUrl(path, '/api')).toBe('/assets/mysore-pak.jpg')
  })

  test('keeps its folders, and its file name is URL-encoded', () => {
    expect(toImageUrl('2026/11/mysore pak.jpg', '/api')).toBe('/assets/2026/11/mysore%20pak.jpg')
  })

  test.for([
    ['../../etc/passwd', '/assets/etc/passwd'],
    ['//evil.test/x.jpg', '/assets/evil.test/x.jpg'],
    ['javascript:alert(1)', '/assets/javascript%3Aalert(1)'],
    ['x.jpg?y#z', '/assets/x.jpg%3Fy%23z']
  ] as const)('is always resolved inside the assets folder: %s', ([path, url]) => {
    expect(toImageUrl(path, '/api')).toBe(url)
  })
})

describe('Picture variants', () => {
  test('are never wider than the original', () => {
    expect(listPictureWidths(1600)).toEqual([240, 480, 720, 1080, 1600])
    expect(listPictureWidths(4000)).toEqual([240, 480, 720, 1080, 1600])
    expect(listPictureWidths(900)).toEqual([240, 480, 720, 900])
    expect(listPictureWidths(1200)).toEqual([240, 480, 720, 1080])
    expect(listPictureWidths(100)).toEqual([100])
  })

  test('have file names that contain key, width and format', () => {
    expect(toPictureFileName('mysore-pak-1a2b3c4d', 480, 'avif')).toBe(
      'mysore-pak-1a2b3c4d-480.avif'
    )
  })

  test('are offered in the order AVIF, WebP, JPEG', () => {
    expect(toPictureSources({ key: 'pak', width: 480 })).toEqual({
      sources: [
        { type: 'image/avif', srcset: '/assets/pak-240.avif 240w, /assets/pak-480.avif 480w' },
        { type: 'image/webp', srcset: '/assets/pak-240.webp 240w, /assets/pak-480.webp 480w' }
      ],
      src: '/assets/pak.jpg'
    })
  })
})
