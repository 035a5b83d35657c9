import { logOut } from '#lib/stores/log-out.ts'
import { checkSession } from '#lib/stores/session-check.ts'
import { $token } from '#lib/stores/stored-session.ts'
import cartSyncFile from './cart-sync.ts?late'

void checkSession()

const stop = $token.subscribe(token => {
  if (token === undefined) return
  queueMicrotask(() => stop())
  void import(/* @vite-ignore */ cartSyncFile)
})

document.addEventListener('click', ({ target }) => {
  if ((target as Element).closest('[data-logout]')) void logOut()
})
