import { SECTIONS } from '#lib/admin/sections.ts'
import type { Dashboard } from '#lib/contract/admin/dashboard.ts'

// The specification requires these four tiles in this order.
const TILES = ['products', 'orders', 'users', 'deals'] as const

export function Tiles({ counts }: { counts: Dashboard['counts'] | undefined }) {
  return (
    <ul className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      {TILES.map(tile => {
        const section = SECTIONS.find(({ id }) => id === tile)
        return (
          section && (
            <li key={tile}>
              <a
                href={section.path}
                className="card flex h-full min-h-28 flex-col justify-between gap-2 p-4 font-semibold hover:text-chilli"
              >
                <span>{section.label}</span>
                <span className="font-serif text-3xl tabular-nums">{counts?.[tile] ?? '…'}</span>
              </a>
            </li>
          )
        )
      })}
    </ul>
  )
}
