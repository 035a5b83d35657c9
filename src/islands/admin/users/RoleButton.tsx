import { useState } from 'react'
import type { AdminUser } from '#lib/contract/admin/users.ts'
import { setRole } from '#lib/stores/admin/users.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'

/** Gives the rights of an administrator or takes them: asked first, because they open everything. */
export function RoleButton({ user, onChanged }: { user: AdminUser; onChanged: () => void }) {
  const [asking, setAsking] = useState(false)
  const isAdmin = user.role === 'admin'
  const words = isAdmin ? 'Take the administrator’s rights' : 'Make an administrator'
  return (
    <>
      <button type="button" className="button-quiet" aria-haspopup="dialog" onClick={() => setAsking(true)}>
        {words}
      </button>
      <ConfirmDialog
        open={asking}
        title={isAdmin ? `Take the rights of ${user.name}?` : `Make ${user.name} an administrator?`}
        confirm={words}
        doing="Saving…"
        onConfirm={async () => {
          await setRole(user, isAdmin ? 'user' : 'admin', onChanged)
          onChanged()
        }}
        onClose={() => setAsking(false)}
      >
        {isAdmin
          ? `${user.name} can’t see or change anything of the shop’s own any more.`
          : `${user.name} (${user.email}) will see all orders and accounts, and can change everything in the shop.`}
      </ConfirmDialog>
    </>
  )
}
