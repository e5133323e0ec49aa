/** Which keys act on a page: of the list of all keys, and of a case from the table that its controls have. */
import { shortcutList, type Shortcut } from '../../kit/shortcuts.ts'
import { words as kit } from '../../kit/words.ts'
import { caseCommands } from '../case/case-commands.ts'
import { documentTools, keyOf } from '../documents/document-tools.ts'

const groupOf = (name: string): readonly Shortcut[] => shortcutList.find(({ group }) => group === name)?.keys ?? []
const ofCase: readonly Shortcut[] = caseCommands.flatMap(({ letter, label }) =>
  letter === undefined ? [] : [{ keys: [letter], does: label }]
)
/** Of documents, from the table of their tools. Several keys may do the same. */
const ofDocuments: readonly Shortcut[] = [...new Set(documentTools.map(({ word }) => word))].flatMap((word) => {
  const keys = documentTools.filter((tool) => tool.word === word).flatMap((tool) => keyOf(tool) ?? [])
  return keys.length > 0 && keys[0] !== 'P' ? [{ keys, does: word }] : []
})

/** By the name of a route. */
export function keysOf(page: string): readonly Shortcut[] {
  if (page === 'queue')
    return [...groupOf(kit.queue), ...ofCase.filter(({ keys }) => !'ADEUS'.includes(keys[0] ?? '')), ...ofDocuments]
  if (page === 'applicant') return [...ofCase, ...ofDocuments]
  if (page === 'history') return groupOf(kit.history)
  if (page === 'verify' || page === 'check') return groupOf(kit.verification)
  if (page === 'batch') return groupOf(kit.batch)
  return groupOf(kit.everywhere)
}
