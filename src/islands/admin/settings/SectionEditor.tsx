import { useStore } from '@nanostores/react'
import { useEffect, useState, type ReactNode } from 'react'
import { OWNER_FIELDS } from '#lib/admin/access.ts'
import { SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { isNeeded, type FieldChoices } from '#lib/admin/settings-values.ts'
import { SETUP_PATH } from '#lib/admin/setup.ts'
import type { StoredSection } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { loadSitePictures, readChoices, readSettings } from '#lib/stores/admin/settings.ts'
import { $user } from '#lib/stores/session.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Disclosure } from '../../ui/Disclosure.tsx'
import { pushQuery } from '../../ui/history.ts'
import { useLoad } from '../../ui/hooks.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { RecordForm } from '../ui/RecordForm.tsx'
import { BackLink, FocusedHeading, WebsiteLink } from '../ui/RecordView.tsx'
import { DeliveryPreview } from './DeliveryPreview.tsx'
import { HomePreview } from './HomePreview.tsx'
import { ListField } from './ListField.tsx'
import { MissedSearches, TaxReport, TestMail, TrySearch } from './SectionTools.tsx'
import { SettingsField } from './SettingsField.tsx'
import { useSettingsForm } from './use-settings-form.ts'
import { VersionHistory } from './VersionView.tsx'

export function SectionEditor({ section }: { section: SectionName }) {
  const [result, reload] = useLoad(section, async () => {
    const [stored, choices] = await Promise.all([readSettings(section), readChoices(section)])
    return { stored, choices }
  })
  // A new `count` makes React show a new form, which begins with `theirs` after an edit conflict.
  const [{ count, theirs }, setReset] = useState<{
    count: number
    theirs?: StoredSection | undefined
  }>({ count: 0 })
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
              onReset={next => setReset({ count: count + 1, theirs: next ?? theirs })}
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

function SectionForm(props: SectionFormProps) {
  const { section, choices } = props
  const isOwner = useStore($user)?.staff === 'owner'
  const ownerFields = (isOwner ? undefined : OWNER_FIELDS[section]) ?? []
  const onClose = () => (isFromSetup() ? location.assign(SETUP_PATH) : pushQuery(''))
  const { record, typed, change, context } = useSettingsForm({ ...props, onClose })
  return (
    <RecordForm label={SECTION_FORMS[section].title} form={record} saveLabel="Save settings">
      {(section === 'delivery' || section === 'calendar') && (
        <DeliveryPreview section={section} typed={typed} />
      )}
      {SECTION_FORMS[section].groups.map(({ legend, hint, fields }) => (
        <Group key={legend} legend={legend} hint={hint}>
          {fields.map(spec =>
            spec.kind === 'list' ? (
              <ListField
                key={spec.name}
                spec={spec}
                context={context}
                value={typed[spec.name]}
                hidesLabel={spec.label === legend}
                onChange={items => change(spec.name, items)}
              />
            ) : (
              isNeeded(typed, spec) && (
                <SettingsField
                  key={spec.name}
                  spec={spec}
                  path={spec.name}
                  context={context}
                  value={typed[spec.name]}
                  isReadOnly={ownerFields.includes(spec.name)}
                  onChange={value => change(spec.name, value)}
                />
              )
            )
          )}
        </Group>
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

/** The set-up checklist opened the form, so the form leads back to it. */
function isFromSetup(): boolean {
  return new URLSearchParams(location.search).get('from') === 'setup'
}

function Group({
  legend,
  hint,
  children
}: {
  legend: string
  hint: string | undefined
  children: ReactNode
}) {
  return (
    <fieldset className="card grid min-w-0 grid-cols-[minmax(0,1fr)] gap-5 p-4 sm:p-6">
      <legend className="float-left mb-1 w-full font-serif text-lg font-semibold">{legend}</legend>
      {hint !== undefined && <p className="text-ink/70">{hint}</p>}
      {children}
    </fieldset>
  )
}
