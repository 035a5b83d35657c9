import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { saveFile } from '../../ui/save-file.ts'
import { toastErrors } from './toast-errors.ts'

export function ExportButton({ read, fileName }: { read: () => Promise<Blob>; fileName: string }) {
  const download = async () => saveFile(await read(), fileName)
  return (
    <button
      type="button"
      className="button-quiet"
      onClick={() => void toastErrors(download, ADMIN_MESSAGES.exportFailed)}
    >
      Export
    </button>
  )
}
