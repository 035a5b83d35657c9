import { MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { loginPath } from '#lib/return-path.ts'
import { LOGIN_REDIRECT } from '#lib/time.ts'
import { useGuard } from '../accounts/guard.ts'
import { EmptyState } from '../ui/EmptyState.tsx'

/** My Orders. Nothing can be ordered yet, so the list is empty for everybody. */
export function OrdersPage() {
  const session = useGuard({ after: LOGIN_REDIRECT })
  return (
    <>
      <h1 className="py-6 text-2xl sm:text-3xl">My Orders</h1>
      {session.state === 'loading' && <p role="status">{MESSAGES.profileLoading}</p>}
      {session.state === 'anonymous' && (
        <div role="alert">
          <EmptyState text={MESSAGES.ordersLogin}>
            <a href={loginPath(paths.orders)} className="button-primary">
              Login
            </a>
          </EmptyState>
        </div>
      )}
      {session.state === 'authenticated' && (
        <EmptyState text={MESSAGES.ordersNone}>
          <a href={paths.products} className="button-primary">
            See our products
          </a>
        </EmptyState>
      )}
    </>
  )
}
