import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { saveFile } from '../../../lib/browser.ts'
import { toastErrors } from './toast-errors.ts'

export function ExportButton({ read, fileName }: { read: () => Promise<Blob>; fileName: string }) {
  const download = async () => saveFile(await read(), fileName)
  return <Button label="Export" onClick={() => void toastErrors(download, ADMIN_MESSAGES.exportFailed)} />
}
