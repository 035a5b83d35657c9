import { describe, expect, test } from 'vitest'
import { toImageUrl, toPictureSources, listPictureWidths } from '#lib/images.ts'

test.for([
  ['https://cdn.test/assets/uploads/pak.jpg', 'https://cdn.test/assets/pak.jpg'],
  ['https://cdn.test/image/uploads/pak.jpg', 'https://cdn.test/image/uploads/pak.jpg'],
  ['pak.jpg', '/assets/pak.jpg'],
  ['/pak.jpg', '/assets/pak.jpg'],
  ['assets/uploads/pak.jpg', '/assets/pak.jpg'],
  ['/uploads/pak.jpg', '/assets/pak.jpg'],
  ['2026/11/mysore pak.jpg', '/assets/2026/11/mysore%20pak.jpg'],
  ['../../etc/passwd', '/assets/etc/passwd'],
  ['//evil.test/x.jpg', '/assets/evil.test/x.jpg'],
  ['javascript:alert(1)', '/assets/javascript%3Aalert(1)']
] as const)('The image %s is loaded from %s', ([image, url]) => {
  expect(toImageUrl(image, '/api')).toBe(url)
})

test.for(['https://api.test/api', 'https://api.test/api/', 'https://api.test'])(
  'A relative image is loaded from /assets next to the API %s',
  base => expect(toImageUrl('pak.jpg', base)).toBe('https://api.test/assets/pak.jpg')
)

describe('Picture variants', () => {
  test('are never wider than the original', () => {
    expect(listPictureWidths(4000)).toEqual([240, 480, 720, 1080, 1600])
    expect(listPictureWidths(900)).toEqual([240, 480, 720, 900])
    expect(listPictureWidths(1200)).toEqual([240, 480, 720, 1080])
    expect(listPictureWidths(100)).toEqual([100])
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
