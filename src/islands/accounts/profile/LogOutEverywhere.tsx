import { logOutEverywhere } from '#lib/stores/account.ts'
import { ActionButton } from '../../form/ActionButton.tsx'
import { MESSAGES } from '#lib/messages.ts'

export function LogOutEverywhere() {
  return (
    <ActionButton
      label="Log out everywhere"
      doing="Logging out…"
      failed={MESSAGES.logoutFailed}
      action={logOutEverywhere}
    >
      For when you have lost a phone, or left yourself logged in somewhere. You are logged out here too.
    </ActionButton>
  )
}
