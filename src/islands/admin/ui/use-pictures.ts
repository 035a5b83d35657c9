import { useEffect, useRef, useState } from 'react'
import type { Picture } from '#lib/contract/values.ts'
import { ShopError, toErrorText } from '#lib/errors.ts'
import { uploadPicture } from '#lib/stores/admin/pictures.ts'

const texts = {
  pictureFailed: 'The picture could not be added.',
  picturesTooMany: 'A product can have up to 8 pictures.'
}

export interface Upload {
  id: number
  file: File
  message: string
  failed: boolean
}

export type Pictures = ReturnType<typeof usePictures>

interface PictureRules {
  list: readonly Picture[]
  onChange: (list: readonly Picture[]) => void
  getName: () => string
  /** If it is 1, a new picture replaces the old one. Else its name describes it at first. */
  max: number
}

export function usePictures({ list, onChange, getName, max }: PictureRules) {
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const latestList = useRef(list)
  latestList.current = list
  const lastId = useRef(0)
  // An upload that ends after the form was closed must not bring its draft back.
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => void (isShown.current = false)
  }, [])

  const setPictures = (next: Picture[]) => {
    latestList.current = next
    onChange(next)
  }
  const removeUpload = (id: number) =>
    setUploads(current => current.filter(upload => upload.id !== id))
  const updateUpload = (id: number, change: Partial<Upload>) =>
    setUploads(current =>
      current.map(upload => (upload.id === id ? { ...upload, ...change } : upload))
    )

  const send = async ({ id, file }: Upload) => {
    if (max > 1 && latestList.current.length >= max)
      return updateUpload(id, { message: texts.picturesTooMany, failed: true })
    updateUpload(id, { failed: false })
    try {
      const picture = await uploadPicture(file, getName(), message => updateUpload(id, { message }))
      if (!isShown.current) return
      removeUpload(id)
      const isDuplicate = latestList.current.some(({ key }) => key === picture.key)
      const isReplaced = max === 1 && id !== lastId.current
      if (!isDuplicate && !isReplaced)
        setPictures(
          [
            ...latestList.current,
            { ...picture, alt: picture.alt || (max === 1 ? '' : getName()) }
          ].slice(-max)
        )
    } catch (error) {
      if (!(error instanceof ShopError)) throw error
      updateUpload(id, {
        message: toErrorText(error, 'The picture could not be added.'),
        failed: true
      })
    }
  }

  return {
    list,
    uploads,
    isUploading: uploads.some(({ failed }) => !failed),
    add: (files: Iterable<File>) => {
      const freeSlots = max === 1 ? 1 : max - latestList.current.length - uploads.length
      const added = [...files].slice(max === 1 ? -1 : 0).map((file, index) => {
        const isWithinLimit = index < freeSlots
        return {
          id: ++lastId.current,
          file,
          message: isWithinLimit ? '' : texts.picturesTooMany,
          failed: !isWithinLimit
        }
      })
      setUploads(current => [...(max === 1 ? [] : current), ...added])
      for (const upload of added) if (!upload.failed) void send(upload)
    },
    retry: (upload: Upload) => void send(upload),
    dismiss: ({ id }: Upload) => removeUpload(id),
    describe: (key: string, alt: string) =>
      setPictures(
        latestList.current.map(picture => (picture.key === key ? { ...picture, alt } : picture))
      ),
    /** An offset of -1 moves the picture one place towards the start. */
    move: (key: string, offset: -1 | 1) =>
      setPictures(movePicture(latestList.current, key, offset)),
    remove: (key: string) => setPictures(latestList.current.filter(picture => picture.key !== key))
  }
}

function movePicture(list: readonly Picture[], key: string, offset: number): Picture[] {
  const index = list.findIndex(picture => picture.key === key)
  const [picture] = list.slice(index, index + 1)
  const others = list.filter(other => other !== picture)
  return picture ? others.toSpliced(index + offset, 0, picture) : others
}
