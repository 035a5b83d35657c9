import { logOutEverywhere } from '#lib/stores/account.ts'
import { ActionButton } from '../../form/ActionButton.tsx'
import { MESSAGES } from '#lib/messages.ts'

export function LogOutEverywhere() {
  return (
    <ActionButton
      label="Log out everywhere"
      busyLabel="Logging out…"
      errorTitle={MESSAGES.logoutFailed}
      action={logOutEverywhere}
    >
      Use this if you lost a phone or left yourself logged in somewhere. You will be logged out here too.
    </ActionButton>
  )
}
