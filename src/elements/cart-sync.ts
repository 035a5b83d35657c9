import { startCartSync } from '#lib/stores/cart-sync.ts'

// This script is loaded only after login, because a guest's cart stays in the browser.
void startCartSync()
