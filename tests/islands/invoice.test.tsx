import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import type { Order } from '#lib/contract/orders.ts'
import type { TaxStatus } from '#lib/contract/names.ts'
import { makeOrder, makeOrderItem, SELLER, SHOP } from '../support/orders.ts'
import { expectLink, waitForUpdates } from '../support/page-input.ts'
import { errorReply, openPage, PRIYA, respondWith } from '../support/session.ts'

type Replies = Parameters<typeof respondWith>[0]

afterEach(cleanup)

async function open(replies: Replies, path = '/orders/invoice?order=o-1') {
  const send = respondWith({ 'GET /auth/me': () => Response.json(PRIYA), ...replies })
  await openPage({ send, path, token: 't', user: JSON.stringify(PRIYA) })
  const { InvoicePage } = await import('#islands/orders/Invoice.tsx')
  render(<InvoicePage seller={SELLER} taxText={SHOP.taxText} />)
  await waitForUpdates()
}

function expectText(document: string, ...parts: string[]) {
  const text = screen.getByRole('article', { name: document }).textContent ?? ''
  for (const part of parts) expect(text).toContain(part)
  return text
}

const invoiceReply = (order: Order) => ({ 'GET /orders/o-1': () => Response.json(order) })

describe('Invoice', () => {
  test('shows seller, buyer, lines, discount, delivery fee and the total in words, but no note', async () => {
    const halwa = { product: { _id: 'halwa', name: 'Halwa', image: '' }, quantity: 1 }
    const delivery = { deliveryFee: 40, note: 'Mild, please', eventAt: '2026-11-27T18:30' }
    const items = [
      makeOrderItem(),
      makeOrderItem({ ...halwa, listPrice: 320, price: 256, total: 256, discount: 20 })
    ]
    await open(invoiceReply(makeOrder({ items, totalAmount: 656, ...delivery })))
    expectText('Invoice', '26-27/00001', 'Palagaram Home Foods', 'FSSAI 00000000012345')
    expectText('Invoice', 'Priya Raman', '620002', 'Rupees Six Hundred Fifty Six Only')
    expectText('Invoice', 'Not registered for GST: no tax is charged.')
    const rows = screen.getAllByRole('row').map(row => row.textContent)
    expect(rows).toEqual([
      'ItemQtyPriceAmount',
      'Mysore Pak250 g2 × ₹180.002₹180.00₹360.00',
      'Halwa250 g · 20% discount1 × ₹320.001₹320.00₹320.00',
      'Discount−₹64.00',
      'Delivery₹40.00',
      'Total₹656.00'
    ])
    expect(screen.getByRole('article').textContent).not.toMatch(/Mild|27 Nov/)
  })

  test('of a pickup names no address of delivery', async () => {
    await open(invoiceReply(makeOrder({ deliveryMethod: 'pickup' })))
    const text = expectText('Invoice', 'Billed toPriya RamanPickup at the seller’s address')
    expect(text).not.toContain('4 Rockfort Road')
  })

  const gstin = '33ABCDE1234F1Z7'
  const issued = (status: TaxStatus, supplyState = '33') => ({
    invoice: {
      status,
      supplyState,
      seller: { ...SELLER, gstin: status === 'unregistered' ? '' : gstin }
    }
  })
  const item = makeOrderItem({
    hsn: '2106',
    tax: { rate: 5, taxable: 342.86, cgst: 8.57, sgst: 8.57, igst: 0 }
  })
  const pickle = {
    product: { _id: 'pickle', name: 'Garlic Pickle', image: '' },
    quantity: 1,
    price: 112,
    total: 112
  }

  test('of a regular seller shows HSN code, taxable value and taxes by line and by rate', async () => {
    const tax = { rate: 12, taxable: 100, cgst: 6, sgst: 6, igst: 0 }
    const items = [item, makeOrderItem({ ...pickle, couponDiscount: 8, hsn: '2001', tax })]
    await open(invoiceReply(makeOrder({ items, totalAmount: 472, ...issued('regular') })))
    expectText('Tax invoice', `GSTIN ${gstin}`, 'Place of supplyTamil Nadu (33)')
    expectText('Tax invoice', 'Reverse chargeNo', 'Prices include GST.')
    expectText('Tax invoice', 'HSN 2106', 'coupon −₹8.00 · HSN 2001')
    const rowsOf = (name: string) =>
      within(screen.getByRole('table', { name }))
        .getAllByRole('row')
        .map(row => [...row.children].map(cell => cell.textContent))
    expect(rowsOf('Order items').map(cells => cells.slice(1))).toEqual([
      ['Qty', 'Taxable value', 'CGST', 'SGST', 'Amount'],
      ['2', '₹342.86', '₹8.572.5%', '₹8.572.5%', '₹360.00'],
      ['1', '₹100.00', '₹6.006%', '₹6.006%', '₹112.00'],
      ['', '₹442.86', '₹14.57', '₹14.57', '₹472.00']
    ])
    expect(rowsOf('Tax by rate').slice(1)).toEqual([
      ['5%', '₹342.86', '₹8.57', '₹8.57'],
      ['12%', '₹100.00', '₹6.00', '₹6.00']
    ])
  })

  test('to another state shows IGST and the place of supply', async () => {
    const tax = { rate: 5, taxable: 342.86, cgst: 0, sgst: 0, igst: 17.14 }
    await open(
      invoiceReply(makeOrder({ items: [makeOrderItem({ tax })], ...issued('regular', '29') }))
    )
    const parts = ['IGST 5% ₹17.14', 'Place of supplyKarnataka (29)']
    const text = expectText('Tax invoice', ...parts)
    expect(text).not.toMatch(/CGST|SGST/)
  })

  test('of a composition seller is a bill of supply with the sentence of the law and without taxes', async () => {
    await open(
      invoiceReply(makeOrder({ items: [makeOrderItem({ hsn: '2106' })], ...issued('composition') }))
    )
    const law = 'Composition taxable person, not eligible to collect tax on supplies'
    const text = expectText('Bill of supply', law, 'HSN 2106')
    expect(text).not.toMatch(/CGST|SGST|IGST|Prices include/)
  })

  test('of a seller without registration has no words about tax', async () => {
    await open(invoiceReply(makeOrder(issued('unregistered'))))
    expect(screen.getByRole('article', { name: 'Invoice' }).textContent).not.toMatch(/tax|GST|HSN/i)
  })

  test('has a credit note with number and date of its own, and the same taxes', async () => {
    const history: Order['history'] = [{ status: 'cancelled', at: '2026-12-01T04:00:00.000Z' }]
    const order = makeOrder({
      items: [item],
      creditNoteNumber: 'CN/26-27/000001',
      history,
      ...issued('regular')
    })
    await open(invoiceReply(order), '/orders/invoice?order=o-1&credit-note')
    const invoice = 'Credit forTax invoice 26-27/00001 of 21 November 2026'
    expectText('Credit note', 'No. CN/26-27/000001', '1 December 2026', invoice)
    expectText('Credit note', 'CGST 2.5% ₹8.57', 'Billed toPriya Raman')
  })

  test.for([
    ['for an unknown order', { 'GET /orders/o-1': errorReply(404) }, 'Order not found'],
    [
      'for an unpaid order',
      invoiceReply(makeOrder({ invoiceNumber: null })),
      'No invoice: this order has not been paid.'
    ],
    ['without network', {}, 'Failed to load the invoice. Please try again later.']
  ] as const)('shows an error %s', async ([, replies, message]) => {
    await open(replies)
    expect(screen.getByRole('alert').textContent).toContain(message)
    expectLink('View My Orders', '/orders')
  })
})
