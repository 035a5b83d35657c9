/** What was done, as it is said after the name of who did it. A word that is not here is said as it is. */
export const AUDIT_LABELS: Readonly<Record<string, string>> = {
  created: 'added this',
  changed: 'changed this',
  imported: 'changed this by an import',
  hidden: 'hid this from visitors',
  shown: 'showed this to visitors again',
  published: 'published this',
  deleted: 'deleted this',
  moved: 'moved this on',
  returned: 'took a step back',
  cancelled: 'cancelled this',
  promoted: 'made this person an administrator',
  demoted: 'took the administrator’s rights away',
  'logged out': 'logged this person out everywhere',
  marked: 'marked this',
  'returned to': 'put an older release back',
  'backed up': 'downloaded a backup of the shop'
}
