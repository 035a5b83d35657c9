import { useRef, useState } from 'react'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import type { Picture } from '#lib/contract/values.ts'
import { ShopError, errorText } from '#lib/shop-error.ts'
import { uploadPicture } from '#lib/stores/admin/pictures.ts'

/** A picture on its way to the shop. */
export interface Upload {
  id: number
  file: File
  /** How far it is, or why it did not arrive. */
  words: string
  failed: boolean
}

export interface Pictures {
  list: readonly Picture[]
  uploads: readonly Upload[]
  add: (files: Iterable<File>) => void
  retry: (upload: Upload) => void
  dismiss: (upload: Upload) => void
  describe: (key: string, alt: string) => void
  /** Earlier by -1, later by 1. */
  move: (key: string, by: -1 | 1) => void
  remove: (key: string) => void
}

interface PictureRules {
  /** Of what they are: part of their address. */
  nameOf: () => string
  /** What they show until somebody says it better; the name unless told otherwise. */
  altOf?: () => string
  /** At most so many; where it is one, the latest takes the place of the one before. */
  most: number
  onChange: (list: Picture[]) => void
}

/** The pictures of a product or a post while it is edited. */
export function usePictures(
  start: readonly Picture[],
  { nameOf, altOf = nameOf, most, onChange }: PictureRules
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
  const tell = (id: number, change: Partial<Upload>) =>
    setUploads(known => known.map(upload => (upload.id === id ? { ...upload, ...change } : upload)))

  const send = async ({ id, file }: Upload) => {
    tell(id, { failed: false })
    try {
      const picture = await uploadPicture(file, nameOf(), words => tell(id, { words }))
      drop(id)
      const isThere = latest.current.some(({ key }) => key === picture.key)
      const isLate = most === 1 && id !== lastId.current
      if (!isThere && !isLate) set([...latest.current, { ...picture, alt: picture.alt || altOf() }].slice(-most))
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      tell(id, { words: errorText(error, ADMIN_MESSAGES.pictureFailed), failed: true })
    }
  }

  return {
    list,
    uploads,
    add: files => {
      const room = most === 1 ? 1 : most - latest.current.length - uploads.length
      const begun = [...files].slice(most === 1 ? -1 : 0).map((file, at) => {
        const fits = at < room
        return { id: ++lastId.current, file, words: fits ? '' : ADMIN_MESSAGES.picturesTooMany, failed: !fits }
      })
      setUploads(known => [...(most === 1 ? [] : known), ...begun])
      for (const upload of begun) if (!upload.failed) void send(upload)
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
