import { startCartSync } from '#lib/stores/cart-sync.ts'

// Loaded only after login: a guest's cart stays in the browser.
void startCartSync()
