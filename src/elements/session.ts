import { logOut } from '#lib/stores/log-out.ts'
import { startSession } from '#lib/stores/session-check.ts'

void startSession()

document.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('[data-logout]')) void logOut()
})
