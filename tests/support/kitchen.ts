import type { KitchenDayOrder, LabelProduct } from '#lib/contract/kitchen.ts'
import { makeOrder } from './orders.ts'

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
