/** Sentences of start. */
import { inLanguage } from '../../kit/language.ts'

export const words = inLanguage({
  welcomeToVeridesk: 'Welcome to Veridesk',
  verifyDecideAndProve: 'Verify applicants, decide, and prove it later. Everything stays on this computer.',
  yourNameInDecisions: 'Your name in decisions',
  shownBesideWhatYouDecide:
    'Shown beside what you decide, together with your account. Change it later under Settings, You.',
  connectYourAccount: 'Connect your account',
  theBaseUrlAndThree:
    'The base URL and three credentials from your provider. They are kept in the keychain of this computer and never shown again.',
  practiseSending: 'Practise sending without an account',
  starting: 'Starting',
  thePracticeServiceRuns: 'The practice service is running, and its connection is selected.',
  joinATeam: 'Join a team',
  restoreABackup: 'Restore a backup',
  readTheGuide: 'Read the guide',
  skip: 'Skip',
  done: '(done)',
  credentialsAreMissingWithoutThem: 'Credentials are missing. Without them, nothing can be sent.',
  chooseAnOperationOnThe:
    'Choose an operation on the left, fill in its fields and send. “Fill with examples” fills the fields.',
  openTheFirstVerification: 'Open the first verification',
  allStepsAreDoneEvery: 'All steps are done. Every request is now recorded in the history.',
  getStarted: 'Get started',
  addAConnection: 'Add a connection',
  runAFirstVerification: 'Run a first verification'
})
