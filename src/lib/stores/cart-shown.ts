import { computed } from 'nanostores'
import { viewCart } from '../cart-view.ts'
import { $cart } from './cart.ts'
import { $gone, $live } from './live.ts'

/** The cart's lines with today's prices and stock, as far as the shop has told them, and their total. */
export const $cartView = computed([$cart, $live, $gone], viewCart)
export const $cartTotal = computed($cartView, ({ total }) => total)
