import type { Upload } from './use-pictures.ts'

interface UploadRowProps {
  upload: Upload
  onRetry: () => void
  onDismiss: () => void
}

export function UploadRow({ upload: { file, message, failed }, onRetry, onDismiss }: UploadRowProps) {
  return (
    <li className="rounded-card border border-brass/60 p-3">
      <p className="break-words font-semibold">{file.name || 'Picture'}</p>
      <p role={failed ? 'alert' : 'status'} className={failed ? 'font-semibold text-chilli' : 'text-ink/70'}>
        {message}
      </p>
      {failed && (
        <div className="mt-2 flex flex-wrap gap-3">
          <button type="button" className="button-quiet" onClick={onRetry}>
            Try again
          </button>
          <button type="button" className="button-quiet" onClick={onDismiss}>
            Remove
          </button>
        </div>
      )}
    </li>
  )
}
