/** Sentences of the company's trust file. */
import { inLanguage, plural, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  aTrustFileSays:
    'A trust file says for your organisation whose key signs packs, who approves and which keys are revoked. Two keepers sign each version, each on their own installation.',
  inForce: 'In force on this installation',
  readingTheFile: 'Reading the trust file in force',
  noneInForce: 'No trust file is in force here.',
  noneInForceNextStep:
    'Readers of a pack compare its fingerprint. To change that, make the first version, have two keepers sign it, and let your administrator name its place in the policy <policy>TrustFile</policy>.',
  namedByThePolicy: 'Named by the policy <policy>TrustFile</policy>: {path}',
  thisInstallationsKey: 'Key of this installation',
  ownKeyNotNamed: 'The trust file does not name this key.',
  ownKeyIsKeeper: 'A keeper’s key',
  ownKeyOutOfPeriod: 'Outside its period',

  chooseOrDrop:
    'Choose one, or drop it on the window, to see what it says and who has signed it, and to sign it as a keeper.',
  chooseFile: 'Choose…',
  makeFirstVersion: 'Make the first version…',
  makeNextVersion: 'Make the next version…',
  makeTheNextVersionOfTheFile: 'Make the next version of the file in force…',
  closeFile: 'Close',

  versionOf: 'Version {version} of the trust file of {organisation}',
  openedFile: 'Opened file: {name}',
  issued: 'Issued',
  expires: 'Expires',
  firstKeepers: 'Digest of its first keepers',
  compareThisDigest: 'Readers compare this digest with what you tell them another way.',
  authorities: 'Authorities',
  authoritiesOf: ({ timestamps, ca }: { timestamps: Value; ca: Value }) =>
    `For time-stamps: ${timestamps}. For signers: ${ca}.`,
  verifiers: 'Verifiers',
  digestsOfVerifiers: ({ verifiers }: { verifiers: number }) =>
    plural(verifiers, { one: 'Digest of {n} verifier', other: 'Digests of {n} verifiers' }),

  expiresSoon: ({ ahead }: { ahead: Value }) => `It expires ${ahead}.`,
  expiresSoonNextStep:
    'Afterwards, packs without an older time-stamp read as signed by somebody unknown, and nobody approves by file. Next step: a keeper makes the next version, and another keeper signs it.',
  hasExpired: ({ ago }: { ago: Value }) => `It expired ${ago}.`,
  hasExpiredNextStep:
    'Packs without an older time-stamp read as signed by somebody unknown, and nobody approves by file. Next step: a keeper makes the next version, another keeper signs it, and your administrator replaces the file.',

  keepers: 'Keepers',
  keepersNeeded: ({ threshold }: { threshold: Value }) => `Signatures that each version needs: ${threshold}`,
  signed: 'Signed',
  signatureMissing: 'Not signed',
  keeperOfTheVersionBefore: 'Keeper of the version before',
  unnamedKeeper: 'Name not in the file',
  itCounts: 'It counts: enough keepers have signed it.',
  waitsForKeepers: ({ waitsFor }: { waitsFor: number }) =>
    plural(waitsFor, {
      one: 'It does not count yet: {n} more signature of a keeper is missing.',
      other: 'It does not count yet: {n} more signatures of keepers are missing.'
    }),
  waitsNextStep: 'Next step: send the file to a keeper who has not signed it.',
  thisInstallation: 'This installation',

  whoseKeys: 'Who signs and approves',
  nobodyNamed: 'It names nobody.',
  signsPacks: 'Signs packs',
  approves: 'Approves',
  fromTime: 'From {time}',
  fromUntil: 'From {time} until {end}',
  notYet: 'Not yet',
  over: 'Over',
  revoked: 'Revoked',

  revokedKeys: 'Revoked keys',
  noneRevoked: 'It revokes no key.',
  revokedSince: 'Since {time}: {reason}',

  relation: {
    none: 'No trust file is in force here to compare it with. Compare the digest of its first keepers with what its owner tells you another way.',
    same: 'It is the file in force here.',
    next: 'It follows the file in force here.',
    earlier: 'It is older than the file in force here. Do not put it in that file’s place.',
    apart:
      'It has the first keepers of the file in force here, but does not follow it: two versions were made side by side. Ask the keepers which one is theirs.',
    other:
      'It has other first keepers than the file in force here: it is another organisation’s, or somebody made it to look like yours. Do not rely on it before the keepers confirm the digest.'
  },
  signAsKeeper: 'Sign as keeper',
  signedAndSaved: ({ path }: { path: Value }) => `Signed and saved as ${path}`,
  alreadySigned: 'The key of this installation has signed this version.',
  notAKeeper: 'The key of this installation is not that of a keeper of this version: only keepers sign.',

  firstVersion: 'First version',
  nextVersionOf: ({ organisation, version }: { organisation: Value; version: Value }) =>
    `Version ${version} for ${organisation}`,
  organisation: 'Organisation',
  validForDays: 'Valid for (days)',
  atMostDays: ({ most, until }: { most: Value; until: Value }) => `At most ${most}. Until ${until}.`,
  keeperKeyNumber: ({ number }: { number: Value }) => `Public key of keeper ${number}`,
  publicKeyHelp: 'The text of the file of “Save public key”, or its 64 digits. Not a fingerprint.',
  addKeeper: 'Add keeper',
  addPerson: 'Add person',
  revokeKey: 'Revoke a key',
  remove: 'Remove',
  removeKeeper: ({ number }: { number: Value }) => `Remove keeper ${number}`,
  removePerson: ({ number }: { number: Value }) => `Remove person ${number}`,
  removeRevocation: ({ number }: { number: Value }) => `Remove revoked key ${number}`,
  name: 'Name',
  fingerprintOfTheirKey: 'Fingerprint of their key',
  fingerprintOfTheKey: 'Fingerprint of the key',
  roles: 'Roles',
  firstDay: 'First day (optional, otherwise now)',
  lastDay: 'Last day (optional)',
  reason: 'Reason',
  notValidSince: 'Not valid since (optional, otherwise now)',
  personNumber: ({ number }: { number: Value }) => `Person ${number}`,
  revocationNumber: ({ number }: { number: Value }) => `Revoked key ${number}`,
  signAndSave: 'Sign and save',
  cancel: 'Cancel',
  versionSaved: ({ path }: { path: Value }) => `Signed and saved as ${path}. Send it to another keeper.`,
  theRestStays:
    'Authorities and verifiers stay as they are; they are changed with <command>trust make</command> on the command line.',

  fault: {
    organisation: 'Enter the name of the organisation.',
    days: 'Enter a number of days from 1 to 400.',
    keeperKey: 'This is no public key: paste the text of a PEM file, or 64 digits from 0 to 9 and a to f.',
    keepers: 'Two keepers or more are needed, each with their own key.',
    keeperTwice: 'This key is in the list twice.',
    name: 'Enter a name.',
    key: 'A fingerprint has 64 digits: 0 to 9 and a to f.',
    keyTwice: 'This fingerprint is in the list twice.',
    roles: 'Choose at least one role.',
    lastDay: 'The last day is before the first one.',
    since: 'A key is revoked at the latest from today.'
  }
})
