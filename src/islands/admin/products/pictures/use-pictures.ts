import { useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Picture } from '#lib/contract/values.ts'
import { ShopError, errorText } from '#lib/shop-error.ts'
import { uploadPicture } from '#lib/stores/admin/pictures.ts'

export interface Upload {
  id: number
  file: File
  message: string
  failed: boolean
}

export interface Pictures {
  list: readonly Picture[]
  uploads: readonly Upload[]
  add: (files: Iterable<File>) => void
  retry: (upload: Upload) => void
  dismiss: (upload: Upload) => void
  describe: (key: string, alt: string) => void
  /** -1 is towards the front. */
  move: (key: string, by: -1 | 1) => void
  remove: (key: string) => void
}

interface PictureRules {
  /** Used in the URL of the picture. */
  nameOf: () => string
  /** The default description; the name by default. */
  altOf?: () => string
  /** With a maximum of one, a new picture replaces the old one. */
  max: number
  onChange: (list: Picture[]) => void
}

export function usePictures(
  start: readonly Picture[],
  { nameOf, altOf = nameOf, max, onChange }: PictureRules
): Pictures {
  const [list, setList] = useState<readonly Picture[]>(start)
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const latest = useRef(list)
  const lastId = useRef(0)

  const set = (next: Picture[]) => {
    latest.current = next
    setList(next)
    onChange(next)
  }
  const drop = (id: number) => setUploads(known => known.filter(upload => upload.id !== id))
  const update = (id: number, change: Partial<Upload>) =>
    setUploads(known => known.map(upload => (upload.id === id ? { ...upload, ...change } : upload)))

  const send = async ({ id, file }: Upload) => {
    update(id, { failed: false })
    try {
      const picture = await uploadPicture(file, nameOf(), message => update(id, { message }))
      drop(id)
      const isThere = latest.current.some(({ key }) => key === picture.key)
      const isLate = max === 1 && id !== lastId.current
      if (!isThere && !isLate) set([...latest.current, { ...picture, alt: picture.alt || altOf() }].slice(-max))
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      update(id, { message: errorText(error, ADMIN_MESSAGES.pictureFailed), failed: true })
    }
  }

  return {
    list,
    uploads,
    add: files => {
      const freeSlots = max === 1 ? 1 : max - latest.current.length - uploads.length
      const added = [...files].slice(max === 1 ? -1 : 0).map((file, at) => {
        const fits = at < freeSlots
        return { id: ++lastId.current, file, message: fits ? '' : ADMIN_MESSAGES.picturesTooMany, failed: !fits }
      })
      setUploads(known => [...(max === 1 ? [] : known), ...added])
      for (const upload of added) if (!upload.failed) void send(upload)
    },
    retry: upload => void send(upload),
    dismiss: ({ id }) => drop(id),
    describe: (key, alt) => set(latest.current.map(picture => (picture.key === key ? { ...picture, alt } : picture))),
    move: (key, by) => set(moved(latest.current, key, by)),
    remove: key => set(latest.current.filter(picture => picture.key !== key))
  }
}

function moved(list: readonly Picture[], key: string, by: number): Picture[] {
  const at = list.findIndex(picture => picture.key === key)
  const [picture] = list.slice(at, at + 1)
  const others = list.filter(other => other !== picture)
  return picture ? others.toSpliced(at + by, 0, picture) : others
}
