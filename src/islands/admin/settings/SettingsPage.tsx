import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import { isSectionName, SECTION_FORMS } from '#lib/admin/settings-form.ts'
import type { SectionVersion } from '#lib/contract/settings.ts'
import type { SectionName } from '#lib/contract/names.ts'
import { $sections, loadSections } from '#lib/stores/admin/settings.ts'
import { Time } from '../../ui/Facts.tsx'
import { toQuery, useQuery } from '../../ui/history.ts'
import { AdminFrame, Forbidden } from '../ui/AdminFrame.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { useReturnFocus, viewLink } from '../ui/views.tsx'
import { SectionEditor } from './SectionEditor.tsx'
import { VersionView } from './VersionView.tsx'
import { $may } from '#lib/stores/admin/access.ts'

export function SettingsPage() {
  const params = new URLSearchParams(useQuery())
  return <AdminFrame section="settings">{() => <SettingsView params={params} />}</AdminFrame>
}

function SettingsView({ params }: { params: URLSearchParams }) {
  const section = params.get('section')
  const version = params.get('version')
  const may = useStore($may)
  if (!isSectionName(section)) return <Sections />
  if (!may(`GET /admin/settings/${section}`)) return <Forbidden />
  if (version !== null)
    return <VersionView key={`${section} ${version}`} section={section} version={version} />
  return <SectionEditor key={section} section={section} />
}

function Sections() {
  const sections = useStore($sections)
  useEffect(() => void loadSections(), [])
  return (
    <Loaded state={sections} label="settings" onRetry={loadSections}>
      {versions => <SectionList versions={versions} />}
    </Loaded>
  )
}

function SectionList({ versions }: { versions: Record<SectionName, SectionVersion> }) {
  useReturnFocus()
  const may = useStore($may)
  const names = Object.keys(SECTION_FORMS)
    .filter(isSectionName)
    .filter(name => may(`GET /admin/settings/${name}`))
  return (
    <ul aria-label="Settings" className="grid gap-3 md:grid-cols-2">
      {names.map(name => (
        <li key={name}>
          <a
            {...viewLink(toQuery({ section: name }))}
            className="card flex h-full flex-col gap-1 p-4 hover:text-chilli hover:shadow-lg"
          >
            <span className="font-serif text-lg font-semibold">{SECTION_FORMS[name].title}</span>
            <span>{SECTION_FORMS[name].purpose}</span>
            <span className="mt-auto break-words pt-1 text-sm text-ink/70">
              <SavedBy {...versions[name]} />
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function SavedBy({ savedAt, savedBy }: SectionVersion) {
  if (savedAt === null) return 'Not saved yet'
  return (
    <>
      Saved <Time iso={savedAt} /> by {savedBy}
    </>
  )
}
