import type { CheckoutShop } from '#lib/checkout/checkout-form.ts'
import { NEVER_CLOSED } from '#lib/delivery/calendar.ts'
import type { AdminOrder } from '#lib/contract/desk.ts'
import type { KitchenDayOrder, LabelProduct } from '#lib/contract/kitchen.ts'
import type { Order } from '#lib/contract/orders.ts'
import { EMPTY_SETTINGS } from '#lib/settings.ts'

type Item = Order['items'][number]

export function makeOrderItem(draft: Partial<Item> = {}): Item {
  return {
    line: 1,
    product: { _id: 'mysore-pak', name: 'Mysore Pak', image: 'mysore-pak.jpg' },
    quantity: 2,
    price: 180,
    listPrice: 180,
    total: 360,
    packSize: { value: 250, unit: 'g', type: 'weight' },
    ...draft
  }
}

export const SELLER = {
  name: 'Palagaram',
  legalName: 'Palagaram Home Foods',
  phone: '+91 90000 12345',
  email: 'hello@palagaram.example',
  address: {
    street: '12, Kolam Street',
    area: 'Thillai Nagar',
    city: 'Tiruchirappalli',
    state: 'Tamil Nadu',
    pincode: '620018'
  },
  fssai: '00000000012345',
  gstin: ''
}

export const SHOP: CheckoutShop = {
  name: 'Palagaram',
  whatsapp: '',
  phone: '+91 90000 12345',
  email: 'hello@palagaram.example',
  hours: '9 am to 8 pm',
  taxText: 'Not registered for GST: no tax is charged.',
  servedState: '',
  address: SELLER.address,
  closed: NEVER_CLOSED,
  minimumOrder: 0,
  calendar: EMPTY_SETTINGS.calendar,
  hasFees: false,
  leastTransit: 0,
  hasPickup: false,
  pickupPlace: [
    '12, Kolam Street, Thillai Nagar',
    'Tiruchirappalli 620018',
    'Ring the bell, 10 am to 6 pm'
  ],
  eventProducts: []
}

export function makeOrder(draft: Partial<Order> = {}): Order {
  return {
    _id: 'o-1',
    orderNumber: 'PG-7K2M9Q',
    language: 'en',
    createdAt: '2026-11-21T04:00:00.000Z',
    status: 'pending',
    items: [makeOrderItem()],
    totalAmount: 360,
    shippingAddress: {
      apartmentOrSuite: '3B',
      street: '4 Rockfort Road',
      landmark: 'Opposite the temple tank',
      city: 'Tiruchirappalli',
      district: 'Tiruchirappalli',
      state: 'Tamil Nadu',
      pincode: '620002',
      country: 'India'
    },
    customerDetails: { name: 'Priya Raman', email: 'priya@example.test', phone: '9876543210' },
    deliveryDate: '2026-11-23',
    paymentMethod: 'razorpay',
    paymentStatus: 'completed',
    razorpay_payment_id: 'pay_1',
    razorpay_order_id: 'order_1',
    razorpay_signature: 'sig',
    history: [{ status: 'pending', at: '2026-11-21T04:01:00.000Z' }],
    invoiceNumber: '26-27/00001',
    paidAt: '2026-11-21T04:01:00.000Z',
    canCancel: false,
    ...draft
  }
}

export function makeAdminOrder(draft: Partial<AdminOrder> = {}): AdminOrder {
  return {
    ...makeOrder(),
    version: 0,
    refundable: 360,
    userId: 'u-1',
    isAnonymised: false,
    isTest: false,
    isOnHold: false,
    refund: null,
    reversals: [],
    ...draft
  }
}

export function makeDayOrder(draft: Partial<KitchenDayOrder> = {}): KitchenDayOrder {
  const { _id, orderNumber, status, customerDetails, shippingAddress, deliveryDate } = makeOrder()
  return {
    _id,
    orderNumber,
    status,
    customerDetails: { name: customerDetails.name, phone: customerDetails.phone },
    shippingAddress,
    deliveryDate,
    isAnonymised: false,
    isTest: false,
    isOnHold: false,
    lines: [
      {
        n: 0,
        product: { id: 'mysore-pak', name: 'Mysore Pak', nameTamil: 'மைசூர் பாக்' },
        category: 'sweets',
        packSize: { value: 250, unit: 'g', type: 'weight' },
        quantity: 2,
        isPacked: false
      }
    ],
    ...draft
  }
}

export function makeLabelProduct(draft: Partial<LabelProduct> = {}): LabelProduct {
  return {
    id: 'mysore-pak',
    name: 'Mysore Pak',
    nameTamil: 'மைசூர் பாக்',
    dietary: 'vegetarian',
    ingredients: ['Gram flour', 'Sugar', 'Ghee (milk)'],
    allergens: 'Contains milk',
    nutrition: 'energy 520 kcal, protein 6 g',
    quantity: { value: 250, unit: 'g', type: 'weight' },
    mrp: 180,
    shelfLifeDays: 15,
    ...draft
  }
}
