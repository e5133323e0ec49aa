/** Sentences of start. */
import { inLanguage } from '../../kit/language.ts'

export const words = inLanguage({
  welcomeToVeridesk: 'Welcome to Veridesk',
  twoStepsToTheFirst: 'Two steps to the first verification. Everything stays on this computer.',
  skip: 'Skip',
  done: '(done)',
  credentialsAreMissingWithoutThem: 'Credentials are missing. Without them, nothing can be sent.',
  useMyOwnConnection: 'Use my own connection',
  chooseAnOperationOnThe:
    'Choose an operation on the left, fill in its fields and send. “Fill with examples” fills the fields.',
  openTheFirstVerification: 'Open the first verification',
  allStepsAreDoneEvery: 'All steps are done. Every request is now recorded in the history.',
  getStarted: 'Get started',
  addAConnection: 'Add a connection',
  runAFirstVerification: 'Run a first verification'
})
