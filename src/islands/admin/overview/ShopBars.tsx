import { useStore } from '@nanostores/react'
import { ADMIN_MESSAGES, testShopText } from '#lib/admin/messages.ts'
import { GAPS } from '#lib/admin/setup.ts'
import type { SetupState } from '#lib/contract/setup.ts'
import { setupText } from '#lib/messages.ts'
import { paths } from '#lib/paths.ts'
import { $setup } from '#lib/stores/setup.ts'
import { readStatus } from '#lib/stores/status.ts'
import { useLoad } from '../../ui/hooks.ts'

/**
 * Says in red why no money comes in or no e-mail goes out, otherwise how much of the set-up is done. Only owners can
 * change it.
 */
export function ShopBars({ isOwner }: { isOwner: boolean }) {
  return isOwner ? <OwnerBar /> : <StaffBar />
}

function OwnerBar() {
  const setup = useStore($setup)
  if (!setup) return null
  const warning = findWarning(setup)
  return warning ? <Bar {...warning} /> : <SetupLink text={setupText(setup.rows)} />
}

function StaffBar() {
  const [status] = useLoad('status', readStatus)
  if (status.state !== 'ready' || !status.value.testMode) return null
  return <Bar text={testShopText(true, status.value.mailNotSetUp)} links={[]} />
}

function Bar({ text, links }: Warning) {
  return (
    <p className="mb-1 flex flex-wrap items-center gap-x-4 rounded-card bg-chilli px-4 text-sm font-semibold text-paper lg:text-base">
      <span className={links.length > 0 ? 'pt-2 sm:py-2' : 'py-2'}>{text}</span>
      {links.map(({ label, href }) => (
        <a key={href} href={href} className="inline-flex min-h-target items-center underline underline-offset-4">
          {label}
        </a>
      ))}
    </p>
  )
}

function SetupLink({ text }: { text: string }) {
  if (text === '') return null
  return (
    <a
      href={`${paths.admin}#setup`}
      className="mb-1 flex min-h-target items-center rounded-card bg-turmeric px-4 text-sm font-semibold underline underline-offset-4"
    >
      {text}
    </a>
  )
}

interface Warning {
  text: string
  links: { label: string; href: string }[]
}

function findWarning({ rows, payments }: SetupState): Warning | undefined {
  const missing = rows.flatMap(row => row.missing)
  if (payments === 'live' && (missing.includes('fssai') || missing.includes('grievanceOfficer'))) {
    const { label = '', href = '' } = GAPS.fssai
    return { text: ADMIN_MESSAGES.legalMissing, links: [{ label, href }] }
  }
  const isTest = payments !== 'live'
  const hasNoMail = missing.includes('smtp')
  if (!isTest && !hasNoMail) return undefined
  return {
    text: testShopText(isTest, hasNoMail),
    links: [
      ...(isTest ? [{ label: 'Set up payments', href: `${paths.admin}#setup-payments` }] : []),
      ...(hasNoMail ? [{ label: 'Set up mail', href: `${paths.admin}#setup-mail` }] : [])
    ]
  }
}
