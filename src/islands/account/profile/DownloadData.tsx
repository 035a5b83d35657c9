import { MESSAGES } from '#lib/messages.ts'
import { readMyData } from '#lib/stores/account.ts'
import { ActionButton } from '../../form/ActionButton.tsx'

export function DownloadData() {
  return (
    <ActionButton label="Download" busyLabel="Downloading…" errorTitle={MESSAGES.downloadFailed} action={download}>
      A file (JSON) with everything we store about you: your details, logins, orders and messages.
    </ActionButton>
  )
}

async function download(): Promise<void> {
  const data = JSON.stringify(await readMyData(), null, 2)
  const address = URL.createObjectURL(new Blob([data], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: address, download: 'my-data.json' }).click()
  URL.revokeObjectURL(address)
}
