/** Sentences of about. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  about: 'About',
  verideskContactsTheAddressesOf:
    'Veridesk contacts the addresses of your connections, what you set up in the settings, and nothing else.',
  diagnostics: 'Diagnostics',
  copyDiagnostics: 'Copy diagnostics',
  saveSupportFile: 'Save support file',
  theSupportFileHasVersions:
    'The support file has versions, settings, failure codes and the log, without personal data, addresses and secrets.',
  historyOpening: 'Opening',
  notOpenCode: ({ code }: { code: Value }) => `Not open (${code})`,
  unknownEngine: 'Unknown',
  encryptedFileReadOnlyThe: 'Encrypted file, read-only: the disk is full',
  encryptedFile: 'Encrypted file',
  memoryThisSessionOnly: 'Memory, this session only',
  openWithRecords: ({ total }: { total: number }) =>
    plural(total, { one: 'Open, {n} record', other: 'Open, {n} records' }),
  version: 'Version',
  host: 'Host',
  previewTheConsoleInAn: 'Preview (the console in an installed browser)',
  electron: 'Electron',
  system: 'System',
  browserEngine: 'Browser engine',
  keychain: 'Keychain',
  notUsedForSampleData: 'Not used for sample data',
  history: 'History',
  connections: 'Connections',
  proxy: 'Proxy',
  extraCertificateAuthorities: 'Extra certificate authorities',
  supportFileSavedAsPath: ({ path }: { path: Value }) => `Support file saved as ${path}`,
  caSet: 'Set',
  caNone: 'None'
})
