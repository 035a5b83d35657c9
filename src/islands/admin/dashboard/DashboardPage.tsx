import { SECTIONS } from '#lib/admin/sections.ts'
import { adminGreeting } from '#lib/messages.ts'
import { AdminFrame } from '../AdminFrame.tsx'

/** What the specification puts on the first page. */
const TILES = ['products', 'orders', 'users', 'deals']

/** The administrator's first page: what can be done today. */
export function DashboardPage() {
  return (
    <AdminFrame section="dashboard">
      {user => (
        <>
          <p className="font-serif text-xl font-semibold">{adminGreeting(user.name)}</p>
          <ul className="mt-4 grid gap-4 sm:grid-cols-2">
            {SECTIONS.filter(({ id }) => TILES.includes(id)).map(({ id, label, path }) => (
              <li key={id}>
                <a
                  href={path}
                  className="card flex min-h-24 items-center p-5 font-serif text-lg font-semibold hover:text-chilli"
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </AdminFrame>
  )
}
