import { useEffect } from 'react'
import { isSectionName, SECTION_FORMS } from '#lib/admin/settings-form.ts'
import { setupPath } from '#lib/admin/setup.ts'
import type { SectionName } from '#lib/contract/names.ts'
import type { SectionVersion, StoredSection } from '#lib/contract/settings.ts'
import { rich, t } from '#lib/contract/texts.ts'
import {
  $sections,
  loadSections,
  loadSitePictures,
  readWithChoices
} from '#lib/stores/admin/settings.ts'
import { paths } from '#lib/paths.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Time } from '../../ui/Facts.tsx'
import { useQuery } from '../../ui/history.ts'
import { AdminFrame, Forbidden } from '../ui/AdminFrame.tsx'
import { useReset } from '../ui/RecordPage.tsx'
import { Load, LoadedStore, useMay, useReturnFocus, ViewHeading, viewLink } from '../ui/views.tsx'
import { ConnectionTest } from './Connections.tsx'
import { MailSamples } from './MailSamples.tsx'
import { isFromSetup, openStored, SectionForm } from './SectionForm.tsx'
import { MissedSearches, TaxReport } from './SectionTools.tsx'
import { VersionHistory, VersionView } from './VersionView.tsx'

export function SettingsPage() {
  return (
    <AdminFrame section="settings">
      <SettingsView />
    </AdminFrame>
  )
}

function SettingsView() {
  const params = new URLSearchParams(useQuery())
  const section = params.get('section')
  const version = params.get('version')
  const may = useMay()
  if (section === 'emails') return <MailSamples />
  if (!isSectionName(section)) {
    return (
      <>
        <LoadedStore store={$sections} load={loadSections} label={t('settings')}>
          {versions => <SectionList versions={versions} />}
        </LoadedStore>
        <AllEmails />
      </>
    )
  }
  if (!may(`GET /admin/settings/${section}`)) return <Forbidden />
  if (version !== null)
    return <VersionView key={`${section} ${version}`} section={section} version={version} />
  return <SectionEditor key={section} section={section} />
}

function AllEmails() {
  return <ButtonLink look="link" label={t('See all emails')} {...viewLink({ section: 'emails' })} />
}

function SectionList({ versions }: { versions: Record<SectionName, SectionVersion> }) {
  useReturnFocus()
  const may = useMay()
  const names = Object.keys(SECTION_FORMS)
    .filter(isSectionName)
    .filter(name => may(`GET /admin/settings/${name}`))
  return (
    <ul aria-label={t('Settings')} className="grid gap-3 md:grid-cols-2">
      {names.map(name => {
        const { savedAt, savedBy } = versions[name]
        return (
          <li key={name}>
            <a
              {...viewLink({ section: name })}
              className="card flex h-full flex-col gap-1 p-4 hover:text-chilli hover:shadow-lg"
            >
              <span className="font-serif text-lg font-semibold">
                {t(SECTION_FORMS[name].title)}
              </span>
              <span>{t(SECTION_FORMS[name].purpose)}</span>
              <span className="mt-auto break-words pt-1 text-sm text-ink/70">
                {savedAt === null
                  ? t('Not saved yet')
                  : rich('Saved {time} by {name}', {
                      time: <Time key="time" iso={savedAt} />,
                      name: savedBy
                    })}
              </span>
            </a>
          </li>
        )
      })}
    </ul>
  )
}

export function SectionEditor({ section }: { section: SectionName }) {
  const { count, theirs, onReset } = useReset<StoredSection>()
  useEffect(() => void loadSitePictures(), [])
  const { title, purpose, page } = SECTION_FORMS[section]
  const back = isFromSetup()
    ? { to: t('Set-up checklist'), href: setupPath() }
    : { to: t('All settings'), ...viewLink('') }
  return (
    <>
      <ViewHeading back={back} title={t(title)} path={page && paths[page]} />
      <p className="mb-4 max-sm:hidden">{t(purpose)}</p>
      <Load label={t(title)} read={() => readWithChoices(section)}>
        {({ stored, choices, isOnServer, ours }) => (
          <div className="grid gap-8 pb-4">
            {isOnServer && (
              <p className="card p-4 font-semibold">
                {t('Set on the server. Ask the person who runs it to change the account.')}
              </p>
            )}
            {!(isOnServer && section === 'payments') && (
              <SectionForm
                key={count}
                section={section}
                stored={openStored(theirs ?? stored, choices)}
                choices={choices}
                isOnServer={isOnServer}
                ours={ours}
                onReset={onReset}
              />
            )}
            {(section === 'mail' || section === 'payments') && <ConnectionTest section={section} />}
            {section === 'mail' && <AllEmails />}
            {section === 'tax' && <TaxReport />}
            {section === 'search' && <MissedSearches />}
            <VersionHistory section={section} current={(theirs ?? stored).version} />
          </div>
        )}
      </Load>
    </>
  )
}
