import { startCartSync } from '#lib/stores/cart-sync.ts'

/** Loaded for who is logged in: a visitor's cart is in their browser alone. */
void startCartSync()
