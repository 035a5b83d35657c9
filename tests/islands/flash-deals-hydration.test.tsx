import { act } from '@testing-library/react'
import { renderToString } from 'react-dom/server'
import { hydrateRoot } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { PRIYA } from '../support/session.ts'
import { button, leavePage, PAK, advance, createPage, freezeTime } from './flash-deals-page.tsx'

beforeEach(freezeTime)
afterEach(leavePage)

describe('Prerendered flash deals', () => {
  const KEY = `discounts:${PRIYA._id}`
  const record = {
    dealId: PAK.id,
    productId: 'pak',
    discount: 13,
    isAnimating: true,
    timestamp: 1,
    used: false
  }

  /** Hydrates prerendered HTML and returns React's errors. */
  async function hydrate(html: string, island: React.ReactNode): Promise<unknown[]> {
    const errors: unknown[] = []
    vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => void errors.push(args))
    document.body.innerHTML = `<main>${html}</main>`
    await act(async () => {
      const root = hydrateRoot(document.querySelector('main') as Element, island, {
        onRecoverableError: error => errors.push(error)
      })
      onTestFinished(() => act(() => root.unmount()))
    })
    await advance(0)
    return errors
  }

  test('contain every deal with a login button and without the time left', async () => {
    const { island } = await createPage()
    const html = renderToString(island)
    expect(html).toContain('href="/products/pak"')
    expect(html).toContain('Get 1–20% off')
    expect(html).toContain('Login to get discount')
    expect(html).not.toContain('min left')
  })

  test.for([
    ['a drawn discount', JSON.stringify([record])],
    ['broken JSON', '[{'],
    ['another format', '{"pak":12}']
  ])('hydrate without errors if localStorage contains %s', async ([, stored = '']) => {
    const html = renderToString((await createPage()).island)
    const { island } = await createPage({ loggedIn: true, deals: undefined })
    localStorage.setItem(KEY, stored)
    localStorage.setItem('cart', '[{"broken":')
    expect(await hydrate(html, island)).toEqual([])
    expect(button().textContent).toBe(
      stored.includes('dealId') ? 'Add to Cart' : 'Click to get your discount'
    )
  })
})
