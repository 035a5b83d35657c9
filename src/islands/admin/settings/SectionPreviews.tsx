import { useState } from 'react'
import { findNeverOpen, findUnused, previewDelivery } from '#lib/admin/delivery-preview.ts'
import { listSpecs, parseTyped, toValue } from '#lib/admin/field-values.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { toDigits } from '#lib/contract/formats.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { t } from '#lib/contract/texts.ts'
import { readDeliveryRules } from '#lib/stores/admin/settings.ts'
import { fromIndianDateTime, toIndianDateTime } from '#lib/time.ts'
import { SitePictureView } from '../ui/PictureFields.tsx'
import { LabelledInput, Load } from '../ui/views.tsx'

interface DeliveryPreviewProps {
  section: 'delivery' | 'calendar'
  typed: Typed
}

export function DeliveryPreview({ section, typed }: DeliveryPreviewProps) {
  const [pincode, setPincode] = useState<string>()
  const [time, setTime] = useState(() => toIndianDateTime(new Date().toISOString()))
  const value = toValue(parseTyped(listSpecs(SECTION_FORMS[section]), typed))
  const now = Date.parse(fromIndianDateTime(time) ?? '')
  return (
    <section
      aria-labelledby="delivery-preview"
      className="card grid gap-4 p-4 sm:p-6"
      // The fields are inside the form, which Enter would save.
      onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
    >
      <h2 id="delivery-preview" className="font-serif text-lg font-semibold">
        {t('Try it')}
      </h2>
      <Load label={t('preview')} read={readDeliveryRules}>
        {({ products, servedState, pincode: ofShop, ...saved }) => {
          const to = pincode ?? ofShop
          const rules = { ...saved, [section]: value }
          const hints = [
            ...toStateLimits(servedState),
            ...(section === 'delivery' ? findUnused(rules.delivery.zones) : []),
            ...findNeverOpen(rules, products, Date.now())
          ]
          return (
            <>
              <div className="grid gap-4 sm:grid-cols-2">
                <LabelledInput
                  label={t('Pincode')}
                  inputMode="numeric"
                  value={to}
                  onType={text => setPincode(toDigits(text))}
                />
                <LabelledInput
                  label={t('Ordered at')}
                  type="datetime-local"
                  value={time}
                  onType={setTime}
                />
              </div>
              <div role="status" className="grid gap-1 break-words font-semibold">
                {(Number.isNaN(now) ? [] : previewDelivery(rules, to, now)).map(line => (
                  <p key={line}>{line}</p>
                ))}
              </div>
              {hints.map(hint => (
                <p key={hint} className="break-words text-sm text-ink/70">
                  {hint}
                </p>
              ))}
            </>
          )
        }}
      </Load>
    </section>
  )
}

function toStateLimits(servedState: string | null) {
  if (servedState === '') return []
  return servedState === null
    ? [t('Nothing is delivered at the moment: please choose your state in Shop details.')]
    : [
        t('Only addresses in {state} are served, because of your Tax settings.', {
          state: servedState
        })
      ]
}

/** How the words lie on the pictures. The other lists look like the form. */
export function BannerPreview({ typed }: { typed: Typed }) {
  const { banners } = toValue(typed) as Settings['home']
  return (
    <ul aria-label={t('Banners')} className="grid gap-4 lg:grid-cols-2">
      {banners.map(({ picture, heading, text, button }, index) => (
        <li key={index} className="overflow-hidden rounded-card bg-ink text-cream">
          {picture !== '' && (
            <SitePictureView name={picture} className="aspect-video w-full rounded-none" />
          )}
          <div className="p-4">
            <p className="break-words font-serif text-xl font-semibold">{heading}</p>
            <p className="break-words">{text}</p>
            <p className="mt-3 inline-block rounded-full bg-chilli px-4 py-1 font-semibold">
              {button || t('Shop Now')}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
