import { useRef } from 'react'
import { PRODUCT_FORM_FIELDS, type ProductValues } from '#lib/admin/product-form.ts'
import type { Picture } from '#lib/contract/values.ts'
import { keepDraft, readDraft } from '#lib/stores/drafts.ts'
import { uuid } from '#lib/uuid.ts'

interface Kept {
  /** Of the product, or that of a new one. */
  id: string
  /** Of the form, so that a new product is made once however often it is sent. */
  key: string
  values: ProductValues
  pictures: readonly Picture[]
}

/** What was typed into the form of a product and not saved; it outlives a reload and a session that ended. */
export function useProductDraft(id: string) {
  const before = useRef<Partial<Kept>>(undefined)
  before.current ??= restored(id)
  const key = useRef(before.current.key ?? uuid())
  const now = useRef(before.current)

  const keep = (change: Partial<Kept>) => {
    now.current = { ...now.current, ...change }
    keepDraft('product', { id, key: key.current, ...now.current })
  }
  return {
    /** What an earlier visit has left. */
    before: before.current,
    key: key.current,
    type: (values: ProductValues) => keep({ values }),
    picture: (pictures: readonly Picture[]) => keep({ pictures }),
    drop: () => {
      now.current = {}
      keepDraft('product', undefined)
    }
  }
}

function restored(id: string): Partial<Kept> {
  const kept = readDraft<Kept>('product')
  if (kept?.id !== id) return {}
  const { key, values, pictures } = kept
  return {
    ...(typeof key === 'string' && { key }),
    ...(isValues(values) && { values }),
    ...(Array.isArray(pictures) && pictures.every(isPicture) && { pictures })
  }
}

function isValues(values: unknown): values is ProductValues {
  const texts = (values ?? {}) as Record<string, unknown>
  return PRODUCT_FORM_FIELDS.every(name => typeof texts[name] === 'string')
}

function isPicture(value: unknown): value is Picture {
  const picture = (value ?? {}) as Partial<Picture>
  return typeof picture.key === 'string' && typeof picture.width === 'number' && typeof picture.alt === 'string'
}
