export const AUDIT_LABELS: Readonly<Record<string, string>> = {
  created: 'added this',
  changed: 'changed this',
  imported: 'changed this with an import',
  hidden: 'hid this',
  shown: 'showed this in the shop',
  published: 'published this',
  deleted: 'deleted this',
  moved: 'changed the status',
  returned: 'set the status back',
  cancelled: 'cancelled this',
  promoted: 'made this person an administrator',
  demoted: 'removed this person as administrator',
  'logged out': 'logged this person out on all devices',
  marked: 'marked this',
  'returned to': 'brought back an older version of the website',
  'backed up': 'downloaded a backup'
}
