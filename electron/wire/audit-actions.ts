/**
 * Actions on a file, a key or the team that `setting.changed` records: a code with its values. The sentence is made where the
 * event is shown.
 */
import type { ActionNote } from '#wire/history/audit-notes.ts'

type ActionCode = ActionNote['action']
type Values<A extends ActionCode> = Omit<Extract<ActionNote, { readonly action: A }>, 'action'>

const day = (at: number): string => new Date(at).toISOString()

const sentences: { readonly [A in ActionCode]: (values: Values<A>) => string } = {
  'history.left-closed': () => 'The history was left closed, and one of this session opened.',
  'history.set-aside': () => 'The history was set aside, and a new one begun.',
  'history.restored': ({ backup }) => `The history was restored from the backup ${backup}.`,
  'recovery-key.created': () => 'The recovery key was made anew.',
  'recovery-key.confirmed': () => 'The recovery key was confirmed from a copy.',
  'recovery-key.refused': () => 'The recovery key was entered and did not fit.',
  'recovery-key.used': () => 'The recovery key was used to open the history.',
  'settings.set-aside': ({ kept }) => `The settings file was set aside as ${kept}, and begun anew.`,
  'connections.set-aside': ({ kept }) => `The connections file was set aside as ${kept}, and begun anew.`,
  'signing-key.revoked': ({ key, since, reason }) =>
    `The signing key ${key} was revoked since ${day(since)} (${reason}).`,
  'signing-key.replaced': ({ key, by }) => `The signing key ${key} was replaced by the key ${by}.`,
  'proxy-sign-in.set': ({ proxy }) => `The sign-in to the proxy ${proxy} was set.`,
  'proxy-sign-in.cleared': ({ proxy }) => `The sign-in to the proxy ${proxy} was cleared.`,
  'team.access-prepared': ({ installation }) => `Access to a team was prepared for the installation ${installation}.`,
  'team.created': ({ words }) => `A team was created: ${words}.`,
  'team.invitation-saved': () => 'An invitation to the team was saved.',
  'team.join-asked': ({ words }) => `A request to join the team “${words}” was saved.`,
  'team.admitted': ({ installation, role }) => `The installation ${installation} was admitted to the team as ${role}.`,
  'team.role-given': ({ installation, role }) =>
    `The installation ${installation} of the team was given the role ${role}.`,
  'team.removed': ({ installation }) => `The installation ${installation} was removed from the team.`,
  'team.left': ({ installation }) => `The team was left by the installation ${installation}.`,
  'team.recovered': ({ words }) => `This installation became supervisor of the team “${words}” by its recovery key.`,
  'team.keys-renewed': ({ epoch }) => `The team was given new keys after an erasure: number ${epoch}.`,
  'team.sharing-chosen': ({ except }) =>
    `Records of ${except === 0 ? 'all connections' : `all connections except ${except}`} are shared with the team.`
}

/** What was done, from the plain part of an event. Undefined if it is no action, or one that this version does not know. */
export function actionSentence(plain: Readonly<Record<string, unknown>>): string | undefined {
  const { action, ...values } = plain
  const known = typeof action === 'string' && Object.hasOwn(sentences, action)
  return known ? sentences[action as ActionCode](values as never) : undefined
}
