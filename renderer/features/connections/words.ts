/** Sentences of connections. */
import { inLanguage, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  pricePerRequest: 'Price per request',
  shownBeforeYouSend: 'Shown before you send. Veridesk bills nothing.',
  currency: 'Currency',
  suchAsEur: 'Three letters, such as EUR.',
  colour: 'Colour',
  colours: {
    slate: 'Slate',
    blue: 'Blue',
    teal: 'Teal',
    green: 'Green',
    amber: 'Amber',
    orange: 'Orange',
    red: 'Red',
    violet: 'Violet'
  },
  inUse: 'In use',
  use: 'Use',
  editTheConnection: 'Edit the connection',
  edit: 'Edit',
  removeTheConnection: 'Remove the connection',
  remove: 'Remove',
  theStoredCredentialsWereEntered: ({ givenFor }: { givenFor: Value }) =>
    `The stored credentials were entered for ${givenFor}. Check the address and the mode, then enter them again.`,
  setForThePracticeService: 'Veridesk sets the credentials of the practice service.',
  storedForThisSessionOnly: 'Stored for this session only. Deleted when Veridesk closes.',
  storedInThisComputersKeychain: 'Stored in this computer’s keychain. Values are never shown again.',
  valuesAreStoredInThis: 'Values are stored in this computer’s keychain and never shown again.',
  removeName: ({ name }: { name: Value }) => `Remove “${name}”?`,
  itsCredentialsAreDeletedIts: 'Its credentials are deleted. Its records stay in the history.',
  connectionNameRemovedWithIts: ({ name }: { name: Value }) =>
    `Connection “${name}” removed, with its credentials. Its records stay in the history.`,
  live: 'LIVE',
  editConnection: 'Edit connection',
  addConnection: 'Add connection',
  name: 'Name',
  shownBeforeEveryRequest: 'Shown before every request.',
  verideskSetsTheAddressOf: 'Veridesk sets the address of the practice service. It is always a sandbox.',
  baseUrl: 'Base URL',
  baseUrlHelp:
    'Such as https://kyc.example.com, with the path that a gateway adds, if any. Veridesk adds the path of each operation.',
  thisIsADifferentHost:
    'This is a different host. Saving deletes the stored credentials, and you must enter them again.',
  mode: 'Mode',
  forTestingNoCostAnd: 'For testing: no cost and no real data.',
  realRequestsAboutRealPeople:
    'Real requests about real people. The window is marked while this connection is selected.',
  allowDocumentsFromPrivateAddresses: 'Allow documents from private addresses',
  onlyIfDocumentsAreOn:
    'Only if documents are on this computer or in your own network. Links come from others and could lead to internal services.',
  openDocumentsAutomatically: 'Open documents automatically',
  whenYouOpenARecord:
    'When you open a record or an applicant, its documents are fetched and shown at once: their servers see a request, and each view is recorded in the audit trail.',
  copiesOfDocuments: 'Copies of documents',
  copyRules: {
    off: { label: 'Off', help: 'Documents are shown and never stored.' },
    possible: {
      label: 'When possible',
      help: 'Documents are stored, encrypted, before a verification is sent. If one cannot be, you are asked. Rows of batches are sent without copies.'
    },
    required: {
      label: 'Required',
      help: 'Nothing is sent without a copy of each document. Batches of operations with links are not started.'
    }
  },
  copiesServersSee:
    'The server of a link sees a request. A link that opens only once would then fail at the service, and the service may see another file.',
  mark: 'Mark',
  oneToFourLetters: 'One to four letters.',
  shownAs: 'Shown as',
  cancel: 'Cancel',
  save: 'Save',
  noConnectionYet: 'No connection yet',
  credentialsMissing: 'Credentials missing',
  manageConnections: 'Manage connections',
  connections: 'Connections',
  theServicesAddressAndIts: 'The service’s address and its three credentials.',
  tryAgain: 'Try again',
  addTheAddressFromYour:
    'Add the address from your provider, or start the practice service to try Veridesk without credentials.',
  credentials: 'Credentials',
  whereLeaveAllThreeEmpty: ({ where }: { where: Value }) => `${where} Leave all three empty to enter them later.`,
  labelStored: ({ label }: { label: Value }) => `${label} stored`,
  set: 'Set',
  notSet: 'Not set',
  replaceLabel: ({ label }: { label: Value }) => `Replace ${label}`,
  setLabel: ({ label }: { label: Value }) => `Set ${label}`,
  replace: 'Replace',
  clearLabel: ({ label }: { label: Value }) => `Clear ${label}`,
  clear: 'Clear',
  clearThisLabel: ({ label }: { label: Value }) => `Clear “${label}”?`,
  noVerificationOrBatchCan:
    'No verification or batch can start on the live connection {name} until this value is set again. Running batches continue.',
  youCanUndoThisFor: ({ undoClearSeconds }: { undoClearSeconds: Value }) =>
    `You can undo this for ${undoClearSeconds} seconds. After that, you need the value from your provider.`,
  labelSet: ({ label }: { label: Value }) => `${label} set`,
  labelCleared: ({ label }: { label: Value }) => `${label} cleared`,
  labelRestored: ({ label }: { label: Value }) => `${label} restored`,
  keychain: 'Keychain',
  checkingTheKeychain: 'Checking the keychain',
  untilThenCredentialsAreStored:
    'Until then, credentials are stored in memory for this session only, and deleted when Veridesk closes.',
  theKeychainIsReady: 'The keychain is ready.',
  sandboxMark: 'SANDBOX',
  practiceService: 'Practice service',
  aSimulatedServiceOnThis: 'A simulated service on this computer. It needs no credentials and no personal data.',
  starting: 'Starting',
  givenByACommand: 'A command of your organisation gives the credentials. None are stored.',
  startPracticeService: 'Start practice service',
  thePracticeServiceIsRunning: 'The practice service is running, and its connection is selected.',
  testing: 'Testing',
  testConnection: 'Test connection',
  reachableNothingSent: '<result>Reachable.</result> No request and no credentials are sent.',
  notReachableNothingSent: '<result>Not reachable.</result> No request and no credentials are sent.',
  nothingIsSent: 'No request and no credentials are sent.',
  diagnoseNetwork: 'Diagnose network',
  connectionTestSteps: 'Connection test steps',
  dnsLookup: 'DNS lookup',
  connection: 'Connection',
  reachable: 'Reachable',
  notReachable: 'Not reachable',
  connectionNameLive: ({ name }: { name: Value }) => `Connection: ${name}, live`,
  connectionNameSandbox: ({ name }: { name: Value }) => `Connection: ${name}, sandbox`,
  enterTheValue: 'Enter the value.',
  theValueContainsALine:
    'The value contains a line break, a space at either end, or a character that headers do not allow. Copy it again from your provider.',
  atMostMaxcredentialbytesCharactersFit: ({ maxCredentialBytes }: { maxCredentialBytes: Value }) =>
    `At most ${maxCredentialBytes} characters fit into every system’s keychain.`,
  storedForThisSessionOnlySince:
    'Stored for this session only, since the keychain is not available. Deleted when Veridesk closes.',
  storedInThisComputersKeychainAnd: 'Stored in this computer’s keychain and never shown again.',
  nameSavedItsHostChanged: ({ name }: { name: Value }) =>
    `“${name}” saved. Its host changed, so enter the credentials again.`,
  nameSaved: ({ name }: { name: Value }) => `“${name}” saved.`,
  nameSavedItsCredentialsAre: ({ name }: { name: Value }) =>
    `“${name}” saved. Its credentials are stored for this session only, and deleted when Veridesk closes.`,
  nameSavedWithItsCredentials: ({ name }: { name: Value }) =>
    `“${name}” saved, with its credentials in this computer’s keychain.`,
  nameWasAddedButNot: ({ name, format }: { name: Value; format: Value }) =>
    `“${name}” was added, but not stored: ${format}. Nothing can be sent on this connection until they are.`,
  noKeychain: 'No keychain',
  keychainLocked: 'Keychain locked',
  keychainAccessDenied: 'Keychain access denied',
  keychainNotResponding: 'Keychain not responding',
  throughProxy: ({ proxy, found }: { proxy: Value; found: Value }) => `Proxy ${proxy}: ${found}`,
  hostResolvesTo: ({ host, addresses }: { host: Value; addresses: Value }) => `${host} resolves to ${addresses}`,
  hostIsAnAddress: ({ host }: { host: Value }) => `${host} is an address`,
  connectedTo: ({ address }: { address: Value }) => `Connected to ${address}`,
  certificateByNobodyNamed: ({
    protocol,
    subject,
    validUntil
  }: {
    protocol: Value
    subject: Value
    validUntil: Value
  }) => `${protocol}; certificate of ${subject}, issued by an unnamed authority, valid until ${validUntil}`,
  certificateBy: ({
    protocol,
    subject,
    issuer,
    validUntil
  }: {
    protocol: Value
    subject: Value
    issuer: Value
    validUntil: Value
  }) => `${protocol}; certificate of ${subject}, issued by ${issuer}, valid until ${validUntil}`,
  notRequiredForHttpTo: 'Not required for http to this computer',
  notTriedBecauseAnEarlier: 'Not tried, because an earlier step failed',
  modes: { live: 'Live', sandbox: 'Sandbox' },
  nameLive: ({ name }: { name: Value }) => `${name}, live`,
  nameSandbox: ({ name }: { name: Value }) => `${name}, sandbox`
})
