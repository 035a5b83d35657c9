import { MESSAGES } from '#lib/messages.ts'
import { readMyData } from '#lib/stores/account.ts'
import { ActionButton } from '../../form/ActionButton.tsx'

export function DownloadData() {
  return (
    <ActionButton label="Download" doing="Collecting…" failed={MESSAGES.downloadFailed} action={download}>
      One file (JSON) with all that the shop keeps about you: your details, where you are logged in, and what you have
      written to us.
    </ActionButton>
  )
}

async function download(): Promise<void> {
  const data = JSON.stringify(await readMyData(), null, 2)
  const address = URL.createObjectURL(new Blob([data], { type: 'application/json' }))
  Object.assign(document.createElement('a'), { href: address, download: 'my-data.json' }).click()
  URL.revokeObjectURL(address)
}
