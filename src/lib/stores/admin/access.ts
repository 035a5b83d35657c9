import { computed, atom, readonlyType } from 'nanostores'
import { mayCall, roleSavedText, type AdminCall } from '../../admin/access.ts'
import { api, configureApi } from '../../api.ts'
import type { AdminUser, OwnLogin, User } from '../../contract/accounts.ts'
import type { Staff } from '../../contract/names.ts'
import type { Credential } from '../../contract/values.ts'
import { ShopError } from '../../errors.ts'
import { t } from '../../contract/texts.ts'
import { $user, deviceHeaders, fetchUser, setSession } from '../session.ts'
import { loadSetup } from './overview.ts'
import { notify } from '../toasts.ts'
import { offerUndo } from './notices.ts'

export const $may = computed($user, user => {
  const staff = user?.staff ?? null
  return (call: AdminCall) => mayCall(staff, call)
})

/** If `end` is called with false, the call that asked fails. */
const $state = atom<{ user: User; end: (isVerified: boolean) => void } | undefined>()

export const $verificationRequest = readonlyType($state)

configureApi({
  async verify(error) {
    if (!(error instanceof ShopError) || error.code !== 'VERIFICATION_REQUIRED') throw error
    const user = await fetchUser()
    const isVerified = await new Promise<boolean>(end => {
      cancelVerification()
      $state.set({ user, end })
    })
    if (!isVerified) throw error
  }
})

export async function verify(credential: Credential): Promise<void> {
  const body = { proof: credential }
  await api('POST /admin/verification', { body }, { headers: deviceHeaders() })
  endRequest(true)
}

export async function setOwnLogin(login: OwnLogin): Promise<void> {
  setSession(await api('PUT /admin/login', { body: login }))
  notify({ title: t('Your login is saved'), text: t('Use it from now on.') })
  await loadSetup()
}

/** By a code. */
export async function confirmEmail(credential: Credential): Promise<void> {
  await verify(credential)
  await loadSetup()
}

export function cancelVerification(): void {
  endRequest(false)
}

function endRequest(isVerified: boolean) {
  $state.get()?.end(isVerified)
  $state.set(undefined)
}

export async function setStaff(
  { _id, name, staff }: AdminUser,
  to: Staff | null,
  onUndone: () => void
): Promise<void> {
  await changeStaff(_id, staff, to)
  offerUndo({
    text: roleSavedText(name, to),
    undo: async () => {
      await changeStaff(_id, to, staff)
      onUndone()
    }
  })
}

async function changeStaff(id: string, from: Staff | null, to: Staff | null) {
  await api('POST /admin/users/{id}/staff', { params: { id }, body: { from, to } })
  if (id === $user.get()?._id) await fetchUser()
}

export async function logOutUser({ _id, name }: AdminUser): Promise<void> {
  const { message: title } = await api('POST /admin/users/{id}/logout', { params: { id: _id } })
  notify({ title, text: name })
}
