import { staffSetText } from '../../admin/access.ts'
import type { Staff } from '../../contract/names.ts'
import { ADMIN_MESSAGES } from '../../admin/messages.ts'
import { api, getApiBase, type Api } from '../../api.ts'
import type { ClosedDays } from '../../closed-days.ts'
import type { AuditKind } from '../../constants.ts'
import type { AdminUser, UserList } from '../../contract/accounts.ts'
import type {
  AuditEntry,
  BackupState,
  CreatedBackup,
  KitchenDashboard,
  PaymentDecision,
  UnmatchedPayment
} from '../../contract/admin.ts'
import type { LabelFacts } from '../../contract/kitchen.ts'
import type { AdminMessage, AnswerDraft, MessageList, MessageMark } from '../../contract/content.ts'
import type { StoredSection } from '../../contract/settings.ts'
import { $user, fetchUser } from '../session.ts'
import { loadSetup } from '../setup.ts'
import { notify } from '../toasts.ts'
import { offerUndo } from './notices.ts'

export function listUsers(query: Api['GET /admin/users']['query']): Promise<UserList> {
  return api('GET /admin/users', { query })
}

export function readUser(id: string): Promise<AdminUser> {
  return api('GET /admin/users/{id}', { params: { id } })
}

export async function setStaff(
  { _id, name, staff }: AdminUser,
  to: Staff | null,
  onUndone: () => void
): Promise<void> {
  await changeStaff(_id, staff, to)
  offerUndo({
    text: staffSetText(name, to),
    undo: async () => {
      await changeStaff(_id, to, staff)
      onUndone()
    }
  })
}

export async function logOutUser({ _id, name }: AdminUser): Promise<void> {
  await api('POST /admin/users/{id}/logout', { params: { id: _id } })
  notify({ title: ADMIN_MESSAGES.userLoggedOut, text: name })
}

async function changeStaff(id: string, from: Staff | null, to: Staff | null): Promise<void> {
  await api('POST /admin/users/{id}/staff', { params: { id }, body: { from, to } })
  if (id === $user.get()?._id) await fetchUser()
}

export function listMessages(query: Api['GET /admin/messages']['query']): Promise<MessageList> {
  return api('GET /admin/messages', { query })
}

export function readMessage(id: string): Promise<AdminMessage> {
  return api('GET /admin/messages/{id}', { params: { id } })
}

export function answerMessage(id: string, answer: AnswerDraft): Promise<AdminMessage> {
  return api('POST /admin/messages/{id}/answers', { params: { id }, body: answer })
}

export function markMessage(id: string, mark: MessageMark): Promise<AdminMessage> {
  return api('PATCH /admin/messages/{id}', { params: { id }, body: mark })
}

export function readKitchenDashboard(): Promise<KitchenDashboard> {
  return api('GET /admin/kitchen')
}

export function readAuditEntries(kinds: readonly AuditKind[], id: string): Promise<AuditEntry[]> {
  return api('GET /admin/audit', { query: { kind: kinds.join(','), id } })
}

export function listUnmatchedPayments(): Promise<UnmatchedPayment[]> {
  return api('GET /admin/unmatched-payments')
}

export async function decideUnmatchedPayment(
  id: string,
  decision: PaymentDecision['decision']
): Promise<void> {
  const { message } = await api('POST /admin/unmatched-payments/{id}', {
    params: { id },
    body: { decision }
  })
  notify({ title: message })
}

export function readOrderSettings(): Promise<StoredSection<'orders'>> {
  return api('GET /admin/settings/orders')
}

export async function saveClosedDays(
  { value, version }: StoredSection<'orders'>,
  closed: ClosedDays
): Promise<void> {
  await api('PUT /admin/settings/orders', { body: { value: { ...value, closed }, version } })
  notify({ title: ADMIN_MESSAGES.saved })
}

export async function confirmLive(): Promise<void> {
  const { message } = await api('POST /admin/confirm-live')
  notify({ title: message })
}

export function readBackups(): Promise<BackupState> {
  return api('GET /admin/backups')
}

/** Through a link, because the file may be larger than the memory of a phone. */
export async function downloadBackup(): Promise<CreatedBackup> {
  const backup = await api('POST /admin/backups')
  const href = `${getApiBase()}/backups/${backup.ticket}`
  Object.assign(document.createElement('a'), { href, download: backup.name }).click()
  void loadSetup()
  return backup
}

export function readLabelFacts(): Promise<LabelFacts> {
  return api('GET /admin/kitchen/labels')
}
