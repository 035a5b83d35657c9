import { adminGreeting, MESSAGES } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { useGuard } from '../accounts/guard.ts'

/** The administrator's first page: what can be done today. */
export function AdminPage() {
  const session = useGuard({ role: 'admin' })
  return (
    <div className="mx-auto max-w-prose pb-4">
      <h1 className="py-6 text-2xl sm:text-3xl">Admin Dashboard</h1>
      {session.state === 'authenticated' ? (
        <div className="card grid gap-4 p-5 sm:p-8">
          <p className="font-serif text-xl font-semibold">{adminGreeting(session.user.name)}</p>
          <p>
            You are logged in as an administrator. Messages from customers reach you by e-mail. Today you can do two
            things here:
          </p>
          <div className="flex flex-wrap gap-3">
            <a href={paths.profile} className="button-quiet">
              Change your password
            </a>
            <a href={paths.home} className="button-quiet">
              See the shop as customers do
            </a>
          </div>
        </div>
      ) : (
        <p role="status">{MESSAGES.profileLoading}</p>
      )}
    </div>
  )
}
