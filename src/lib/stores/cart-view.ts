import { computed } from 'nanostores'
import { toCartView } from '../cart-view.ts'
import { $cart } from './cart.ts'
import { $goneProducts, $liveProducts } from './live-products.ts'

export const $cartView = computed([$cart, $liveProducts, $goneProducts], toCartView)
export const $cartTotal = computed($cartView, ({ total }) => total)
