/** Sentences of about. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  helpAndDiagnostics: 'Help and diagnostics',
  verideskContactsTheAddressesOf:
    'Veridesk contacts the addresses of your connections, what you set up in the settings, and nothing else.',
  diagnostics: 'Diagnostics',
  copyDiagnostics: 'Copy diagnostics',
  saveSupportFile: 'Save support file',
  theSupportFileHasVersions:
    'The support file has versions, settings, failure codes and the log, without personal data, addresses and secrets.',
  theFourOutcomes: 'The four outcomes',
  keyboardShortcuts: 'Keyboard shortcuts',
  notOpenCode: ({ code }: { code: Value }) => `not open (${code})`,
  encryptedFileReadOnlyThe: 'encrypted file, read-only: the disk is full',
  encryptedFile: 'encrypted file',
  memoryThisSessionOnly: 'memory, this session only',
  openRecordsKept: ({ total, kept }: { total: number; kept: Value }) =>
    `open, ${plural(total, { one: '{n} record', other: '{n} records' })}, ${kept}`,
  version: 'Version',
  host: 'Host',
  previewTheConsoleInAn: 'Preview (the console in an installed browser)',
  electron: 'Electron',
  system: 'System',
  browserEngine: 'Browser engine',
  keychain: 'Keychain',
  notUsedForSampleData: 'not used for sample data',
  history: 'History',
  connections: 'Connections',
  proxy: 'Proxy',
  extraCertificateAuthorities: 'Extra certificate authorities',
  supportFileSavedAsPath: ({ path }: { path: Value }) => `Support file saved as ${path}`,
  caSet: 'set',
  caNone: 'none'
})
