import { useState, type ReactNode } from 'react'
import { findNeverOpen, findOverlaps, previewDelivery } from '#lib/admin/delivery-preview.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import {
  listSpecs,
  parseTyped,
  toValue,
  toLabel,
  type FieldChoices
} from '#lib/admin/field-values.ts'
import type { Typed } from '#lib/admin/fields.ts'
import { readDeliveryRules } from '#lib/stores/admin/settings.ts'
import { fromIndianDateTime, toIndianDateTime } from '#lib/time.ts'
import type { Choices } from '#lib/account/forms.ts'
import type { Settings } from '#lib/contract/settings.ts'
import { useLoad } from '../../ui/hooks.ts'
import { Icon } from '../../ui/Button.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { SitePictureView } from './PictureField.tsx'

const texts = {
  stateLimitText: (servedState: string | null) =>
    servedState === null
      ? 'Nothing is delivered at the moment: please choose your state in Shop details.'
      : `Only addresses in ${servedState} are served, because of your Tax settings.`
}

export function DeliveryPreview({
  section,
  typed
}: {
  section: 'delivery' | 'calendar'
  typed: Typed
}) {
  const [saved, reload] = useLoad('delivery-preview', readDeliveryRules)
  const [pincode, setPincode] = useState('620018')
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
        Try it
      </h2>
      <div className="grid gap-4 sm:grid-cols-2">
        <label className="grid gap-1 font-semibold">
          Pincode
          <input
            className="field font-normal"
            inputMode="numeric"
            maxLength={6}
            value={pincode}
            onChange={({ target }) => setPincode(target.value)}
          />
        </label>
        <label className="grid gap-1 font-semibold">
          Ordered at (India time)
          <input
            className="field font-normal"
            type="datetime-local"
            value={time}
            onChange={({ target }) => setTime(target.value)}
          />
        </label>
      </div>
      <Loaded state={saved} label="preview" onRetry={reload}>
        {({ products, servedState, ...saved }) => {
          const rules = { ...saved, [section]: value }
          const overlaps = section === 'delivery' ? findOverlaps(rules.delivery.zones) : []
          const limits = servedState === '' ? [] : [texts.stateLimitText(servedState)]
          return (
            <>
              <div role="status" className="grid gap-1 break-words font-semibold">
                {(Number.isNaN(now) ? [] : previewDelivery(rules, pincode, now)).map(line => (
                  <p key={line}>{line}</p>
                ))}
              </div>
              {[...limits, ...overlaps, ...findNeverOpen(rules, products, Date.now())].map(hint => (
                <p key={hint} className="break-words text-sm text-ink/70">
                  {hint}
                </p>
              ))}
            </>
          )
        }}
      </Loaded>
    </section>
  )
}

type Home = Settings['home']

export function HomePreview({ typed, choices }: { typed: Typed; choices: FieldChoices }) {
  const home = toValue(typed) as Home
  return (
    <div className="grid gap-8 rounded-card border border-brass/60 p-4 sm:p-6">
      <ul aria-label="Banners" className="grid gap-4 lg:grid-cols-2">
        {home.banners.map(({ picture, heading, text, button }, index) => (
          <li key={index} className="overflow-hidden rounded-card bg-ink text-cream">
            {picture !== '' && (
              <SitePictureView name={picture} className="aspect-video w-full rounded-none" />
            )}
            <div className="p-4">
              <p className="break-words font-serif text-xl font-semibold">{heading}</p>
              <p className="break-words">{text}</p>
              <p className="mt-3 inline-block rounded-full bg-chilli px-4 py-1 font-semibold">
                {button || 'Shop Now'}
              </p>
            </div>
          </li>
        ))}
      </ul>
      <Names
        title="Our Featured Categories"
        chosen={home.featuredCategories}
        choices={choices.category}
      />
      <Names title="Our Bestsellers" chosen={home.bestsellers} choices={choices.product} />
      <Features title="Why Choose Us" features={home.whyChooseUs} />
      <Features title="Our Features" features={home.features} />
      {home.testimonials.length > 0 && (
        <Part title="What Our Customers Say">
          {home.testimonials.map(({ name, location, comment }, index) => (
            <li key={index} className="card p-4">
              <blockquote className="break-words">“{comment}”</blockquote>
              <p className="mt-2 font-semibold">{name}</p>
              <p className="text-sm text-ink/70">{location}</p>
            </li>
          ))}
        </Part>
      )}
    </div>
  )
}

function Names({
  title,
  chosen,
  choices
}: {
  title: string
  chosen: readonly string[]
  choices: Choices
}) {
  if (chosen.length === 0) return null
  return (
    <Part title={title}>
      {chosen.map((name, index) => (
        <li key={index} className="card p-4 font-semibold">
          {toLabel(choices, name)}
        </li>
      ))}
    </Part>
  )
}

function Features({ title, features }: { title: string; features: Home['features'] }) {
  if (features.length === 0) return null
  return (
    <Part title={title}>
      {features.map((feature, index) => (
        <li key={index} className="flex gap-3">
          <Icon name={feature.icon} className="size-8 shrink-0 text-chilli" />
          <div className="min-w-0">
            <p className="break-words font-semibold">{feature.title}</p>
            <p className="break-words text-ink/70">{feature.description}</p>
          </div>
        </li>
      ))}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p className="mb-3 font-serif text-lg font-semibold">{title}</p>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">{children}</ul>
    </div>
  )
}
