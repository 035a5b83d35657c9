import { startCartSync } from '#lib/stores/cart-sync.ts'
import { logOut } from '#lib/stores/log-out.ts'

// It begins with the session.
void startCartSync()

document.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('[data-logout]')) void logOut()
})
