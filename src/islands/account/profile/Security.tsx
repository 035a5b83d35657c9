import type { ProfileDetails } from '#lib/stores/profile.ts'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { DeleteAccount } from './DeleteAccount.tsx'
import { DownloadData } from './DownloadData.tsx'
import { LogOutEverywhere } from './LogOutEverywhere.tsx'
import { PasswordForm } from './PasswordForm.tsx'

export function Security({ details: { email, hasPassword } }: { details: ProfileDetails }) {
  return (
    <section aria-labelledby="security" className="card mt-6 p-5 pb-0 sm:p-8 sm:pb-2">
      <h2 id="security" className="pb-4 text-xl">
        Security and your data
      </h2>
      <Disclosure title={hasPassword ? 'Change password' : 'Set a password'}>
        {close => <PasswordForm email={email} hasPassword={hasPassword} onDone={close} />}
      </Disclosure>
      <Disclosure title="Log out on all devices">{() => <LogOutEverywhere />}</Disclosure>
      <Disclosure title="Download my data">{() => <DownloadData />}</Disclosure>
      <Disclosure title="Delete my account">
        {() => <DeleteAccount email={email} hasPassword={hasPassword} />}
      </Disclosure>
    </section>
  )
}
