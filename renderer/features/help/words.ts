/** Sentences of the help. */
import { inLanguage, type Value } from '../../kit/language.ts'

export const words = inLanguage({
  help: 'Help',
  closeHelp: 'Close help',
  searchTheGuide: 'Search the guide',
  onThisPage: 'On this page',
  found: 'Found',
  nothingFoundFor: ({ text }: { text: Value }) => `Nothing found for “${text}”. These are nearest:`,
  wholeGuide: 'Whole guide',
  keysOnThisPage: 'Keys on this page',
  allKeys: 'All keys',
  diagnoseNetwork: 'Diagnose network',
  inTheGuide: 'In the guide',
  about: 'About'
})
