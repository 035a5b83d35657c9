/** What the owner may read when something happens. Apart from the shopper's texts, which every page carries. */
export const ADMIN_MESSAGES = {
  changedMeanwhile: 'Somebody else has changed this meanwhile. Look at what is different before you save.',
  loadFailed: 'This could not be loaded.',
  saveFailed: 'This could not be saved.',
  tryAgain: 'Please try again.',
  undone: 'Undone',
  undoFailed: 'This could not be undone.',
  historyNone: 'Nothing has been changed here yet.'
} as const
