import '#elements/pincode-box.ts'
import { fireEvent, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { configureApi } from '#lib/api.ts'
import { PINCODE_REPLY } from '../support/delivery.ts'
import { respondWith } from '../support/session.ts'

afterEach(() => {
  document.body.replaceChildren()
  localStorage.clear()
})

type Reply = () => Response | Promise<Response>

function openBox(reply: Reply = () => Response.json(PINCODE_REPLY)) {
  const asked: string[] = []
  const respond = respondWith({ 'GET /delivery': reply })
  configureApi({
    base: '/api',
    send: async (url, init) => {
      asked.push(new URL(url, 'http://shop.test').search)
      return respond(url, init)
    }
  })
  document.body.innerHTML = `
    <delivery-date>2 days after you order</delivery-date>
    <pincode-box data-items="murukku:1">
      <form><span><input /><button disabled>Check</button></span></form>
      <p><span role="status"></span><button type="button" data-change hidden>Change</button></p>
    </pincode-box>`
  document.body.append(...document.body.children)
  const find = <Type extends HTMLElement>(selector: string) =>
    document.querySelector(selector) as Type
  const [form, field] = [find<HTMLFormElement>('form'), find<HTMLInputElement>('input')]
  return {
    asked,
    form,
    field,
    change: find<HTMLButtonElement>('[data-change]'),
    answer: () => find('[role=status]').textContent,
    earliest: () => find('delivery-date').textContent,
    ask: (pincode: string) => {
      field.focus()
      fireEvent.input(field, { target: { value: pincode } })
      fireEvent.submit(form)
    }
  }
}

describe('<pincode-box>', () => {
  test('answers in place of the form, remembers the pincode and dates the earliest delivery', async () => {
    const box = openBox()
    box.ask('620 018')
    expect(box.answer()).toBe('Checking…')
    const text = 'Delivers to 620018 Thillai Nagar from Tue 24 Nov · ₹60 delivery, free from ₹500'
    await waitFor(() => expect(box.answer()).toBe(text))
    expect(box.asked).toEqual(['?pincode=620018&items=murukku%3A1'])
    expect([box.form.hidden, box.change.hidden]).toEqual([true, false])
    expect(document.activeElement).toBe(box.change)
    expect(box.earliest()).toBe('Tue 24 Nov')
    expect(localStorage.getItem('pincode')).toBe('"620018"')
  })

  test('says after 8 s that it still waits, and asks again on request', async () => {
    let count = 0
    const box = openBox(() =>
      ++count === 1 ? new Promise(() => undefined) : Response.json(PINCODE_REPLY)
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    box.ask('620018')
    await vi.advanceTimersByTimeAsync(8000)
    expect(box.answer()).toBe('Still waiting for the shop… Try again')
    const button = document.querySelector<HTMLElement>('[role=status] button')
    button?.focus()
    button?.click()
    await vi.advanceTimersByTimeAsync(0)
    vi.useRealTimers()
    await waitFor(() => expect(box.answer()).toContain('Delivers to 620018'))
    expect(box.asked).toHaveLength(2)
    expect(document.activeElement).toBe(box.change)
  })

  test('answers the last pincode, and dates no delivery to a place that the shop does not serve', async () => {
    let answerFirst = (): void => undefined
    const first = new Promise<void>(resolve => (answerFirst = resolve))
    const notServed = { ...PINCODE_REPLY, pincode: '600001', delivery: null, pickup: null }
    const box = openBox(async () => {
      if (box.asked.length > 1) return Response.json(notServed)
      await first
      return Response.json(PINCODE_REPLY)
    })
    box.ask('620018')
    box.ask('600001')
    await waitFor(() => expect(box.form.hidden).toBe(true))
    answerFirst()
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(box.answer()).toContain('600001')
    expect(box.earliest()).toBe('2 days after you order')
    expect(localStorage.getItem('pincode')).toBe('"600001"')
  })

  test('keeps what was typed if it is no pincode, and works again', async () => {
    const box = openBox()
    box.ask('62001')
    expect(box.answer()).toBe('Please enter a valid 6-digit pincode')
    expect([box.field.value, box.field.ariaInvalid]).toEqual(['62001', 'true'])
    expect(box.asked).toEqual([])
    box.ask('620018')
    await waitFor(() => expect(box.form.hidden).toBe(true))
  })
})
