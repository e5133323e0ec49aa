/** Sentences of administration. */
import { inLanguage, plural } from '../../kit/language.ts'

export const words = inLanguage({
  administration: 'Administration',
  pagesOfAdministration: 'Pages of administration',
  connections: 'Connections',
  dataManagement: 'Data management',
  team: 'Team',
  keysAndEvidence: 'Keys and evidence',
  settings: 'Settings',
  recoveryKeyNotConfirmed: 'Recovery key not confirmed',
  backupOverdue: 'Backup overdue',
  credentialsMissingForConnections: ({ missing }: { missing: number }) =>
    plural(missing, {
      one: 'Credentials missing for {n} connection',
      other: 'Credentials missing for {n} connections'
    }),
  credentialsRefusedForConnections: ({ refused }: { refused: number }) =>
    plural(refused, { one: 'Credentials refused for {n} connection', other: 'Credentials refused for {n} connections' })
})
