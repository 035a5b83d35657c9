import { useRef, useState, type SubmitEvent } from 'react'
import { lowestPrice, parsePercent, validateDeal, type DealFormValues } from '#lib/admin/deal-form.ts'
import { deepDiscountText } from '#lib/admin/messages.ts'
import { DEAL_PERCENT } from '#lib/constants.ts'
import { formatRupees } from '#lib/money.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { useForm } from '../../ui/use-form.ts'

interface DeepDiscountRules {
  form: Pick<ReturnType<typeof useForm>['form'], 'ref' | 'onSubmit'>
  values: () => DealFormValues
  product: { name: string; price: number } | undefined
  /** The discount before the edit. It is not asked about again. */
  before?: number
}

/** Asks before a deal with an unusually high discount is saved, because a typing mistake would cost money. */
export function useDeepDiscount({ form, values, product, before = 0 }: DeepDiscountRules) {
  const [percent, setPercent] = useState<number>()
  const isConfirmed = useRef(false)

  const onSubmit = (event: SubmitEvent) => {
    const typed = parsePercent(values().discountPercentage) ?? 0
    const isUsual = typed <= Math.max(DEAL_PERCENT.usual, before)
    const isInvalid = Object.keys(validateDeal(values())).length > 0
    if (!isUsual && !isInvalid && !isConfirmed.current) {
      event.preventDefault()
      return setPercent(typed)
    }
    isConfirmed.current = false
    form.onSubmit(event)
  }
  const close = () => setPercent(undefined)
  const confirm = () => {
    close()
    isConfirmed.current = true
    form.ref.current?.requestSubmit()
  }
  const question = (
    <Dialog open={percent !== undefined} onClose={close} title={`Up to ${percent ?? 0}% off?`} shape="box">
      <div className="grid gap-4 px-4 pb-4">
        {product && <p>{deepDiscountText(percent ?? 0, formatRupees(lowestPrice(product.price, percent ?? 0)))}</p>}
        <div className="flex flex-wrap-reverse justify-end gap-3">
          <Button label="Change it" onClick={close} />
          <Button look="primary" label="Yes, save it" onClick={confirm} />
        </div>
      </div>
    </Dialog>
  )
  return { onSubmit, question }
}
