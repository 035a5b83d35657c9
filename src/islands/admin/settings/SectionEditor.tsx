import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { OWNER_FIELDS } from '#lib/admin/access.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import type { Typed } from '#lib/admin/fields.ts'
import {
  type FieldChoices,
  formatConflict,
  listSpecs,
  parseTyped,
  flatten,
  toTyped,
  toValue
} from '#lib/admin/field-values.ts'
import { ADMIN_MESSAGES } from '#lib/admin/messages.ts'
import { SETUP_PATH } from '#lib/admin/setup.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import {
  loadSitePictures,
  readSettings,
  readWithChoices,
  saveSettings
} from '#lib/stores/admin/settings.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { pushQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { FormFields } from '../ui/FormFields.tsx'
import { useReset } from '../ui/RecordEditor.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import { BackLink, FocusedHeading, WebsiteLink } from '../ui/views.tsx'
import { useRecordForm } from '../ui/use-record-form.ts'
import { DeliveryPreview, HomePreview } from './SectionPreviews.tsx'
import { MissedSearches, TaxReport, TestMail, TrySearch } from './SectionTools.tsx'
import { VersionHistory } from './VersionView.tsx'
import { $user } from '#lib/stores/session.ts'

export function SectionEditor({ section }: { section: SectionName }) {
  const [result, reload] = useLoad(section, () => readWithChoices(section))
  const { count, theirs, onReset } = useReset<StoredSection>()
  useEffect(() => void loadSitePictures(), [])
  const { title, purpose, page } = SECTION_FORMS[section]
  return (
    <>
      {isFromSetup() ? (
        <p>
          <ButtonLink look="link" label="← Set-up checklist" href={SETUP_PATH} />
        </p>
      ) : (
        <BackLink noun="setting" />
      )}
      <div className="mb-4">
        <FocusedHeading>{title}</FocusedHeading>
        <p>{purpose}</p>
      </div>
      {page !== undefined && <WebsiteLink path={page} />}
      <Loaded state={result} label={title} onRetry={reload}>
        {({ stored, choices }) => (
          <div className="grid gap-8 pb-4">
            <SectionForm
              key={count}
              section={section}
              stored={theirs ?? stored}
              choices={choices}
              onReset={onReset}
            />
            {section === 'mail' && <TestMail />}
            {section === 'tax' && <TaxReport />}
            {section === 'search' && <MissedSearches />}
            <VersionHistory section={section} current={(theirs ?? stored).version} />
          </div>
        )}
      </Loaded>
    </>
  )
}

interface SectionFormProps {
  section: SectionName
  stored: StoredSection
  choices: FieldChoices
  onReset: (theirs?: StoredSection) => void
}

function SectionForm({ section, stored, choices, onReset }: SectionFormProps) {
  const isOwner = useStore($user)?.staff === 'owner'
  const readOnly = (isOwner ? undefined : OWNER_FIELDS[section]) ?? []
  const { title, groups } = SECTION_FORMS[section]
  const specs = listSpecs(SECTION_FORMS[section])
  const form = useRecordForm<StoredSection, Typed>({
    form: {
      specs,
      labels: Object.fromEntries(specs.map(({ name, label }) => [name, label])),
      format: (name, value, other) => {
        const field = specs.find(spec => spec.name === name)
        return field ? formatConflict(field, { value, other }, choices) : ''
      },
      toFields: ({ value }) => flatten(value),
      toTyped: ({ value }) => toTyped(specs, value),
      parse: typed => parseTyped(specs, typed)
    },
    draftName: `settings ${section}`,
    item: stored,
    prefix: 'value.',
    choices,
    read: () => readSettings(section),
    save: ({ value, version }, edits) =>
      saveSettings(section, toValue({ ...flatten(value), ...edits }), version),
    // Defaults that were never saved can be saved without a change.
    isUnsaved: stored.version === 0,
    savedMessage: () => ({
      title: `${title} saved`,
      ...(section !== 'mail' && { text: ADMIN_MESSAGES.websiteUpdates })
    }),
    onReset,
    onClose: () => (isFromSetup() ? location.assign(SETUP_PATH) : pushQuery(''))
  })
  const { typed } = form
  return (
    <RecordForm label={title} form={form} saveLabel="Save settings">
      {(section === 'delivery' || section === 'calendar') && (
        <DeliveryPreview section={section} typed={typed} />
      )}
      {groups.map(({ legend, hint, fields }) => (
        <fieldset
          key={legend}
          className="card grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 p-4 sm:p-6"
        >
          <legend className="float-left mb-1 w-full font-serif text-lg font-semibold">
            {legend}
          </legend>
          {hint !== undefined && <p className="text-ink/70">{hint}</p>}
          <FormFields specs={fields} form={form} legend={legend} readOnly={readOnly} />
        </fieldset>
      ))}
      {section === 'search' && <TrySearch synonyms={String(typed['synonyms'])} />}
      {section === 'home' && (
        <Disclosure title="Preview">
          {() => <HomePreview typed={typed} choices={choices} />}
        </Disclosure>
      )}
    </RecordForm>
  )
}

function isFromSetup(): boolean {
  return new URLSearchParams(location.search).get('from') === 'setup'
}
