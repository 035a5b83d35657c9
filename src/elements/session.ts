import { startCartSync } from '#lib/stores/cart-sync.ts'
import { $token, checkSession, logOut } from '#lib/stores/session.ts'

void checkSession()

// Only after login, because a guest's cart stays in the browser.
const stop = $token.subscribe(token => {
  if (token === undefined) return
  queueMicrotask(() => stop())
  void startCartSync()
})

document.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('[data-logout]')) void logOut()
})
