/**
 * docs/accessibility.md: how each criterion of WCAG 2.2 at A and AA was tried, in the form of EN 301 549 and VPAT 2.5. A criterion
 * without a test is named as not evaluated; `tests/unit/accessibility-page.test.ts` shows that the tests exist.
 */

/** A test: its file in tests/app and a part of its title. */
type Tried = readonly [file: string, title: string]

export type Conformance = 'supports' | 'partially supports' | 'not applicable' | 'not evaluated'

export interface Criterion {
  readonly id: string
  readonly name: string
  readonly level: 'A' | 'AA'
  readonly result: Conformance
  readonly tried: readonly Tried[]
  readonly remark?: string
}

const axe: Tried = ['accessibility', 'no violation on any view or state, light and dark']
const axeOfRecords: Tried = ['full-views', 'every view of the records is accessible and fits a window of any size']
const withoutMouse: Tried = ['keyboard', 'from the first start to a found record without a mouse']
const everyStop: Tried = ['keyboard', 'every tab stop is visible, named and shows its focus']
const letters: Tried = ['keyboard', 'single letters act only in their list or case, and not when they are switched off']
const spoken: Tried = ['screen-reader', 'the words of the queue, a decision, the history, a form and the lock']
const byOrca: Tried = ['orca', 'Orca says the words of the queue, a decision, the history, a form and the lock']
const dialogs: Tried = ['keyboard', 'a dialog traps the focus and restores it']
const small: Tried = ['full-views', 'the other views fit a small window']
const forms: Tried = ['forms', 'an empty form marks every field and sends nothing']
const corrected: Tried = [
  'forms',
  'an invalid value is reported at its field, and the error disappears when it is fixed'
]
const still: Tried = ['accessibility', 'with reduced motion nothing moves']
const forced: Tried = ['accessibility', 'with forced colours the marks and the selected row can still be distinguished']
const frame: Tried = ['frame', 'the side bar has ten entries, work first']
const help: Tried = ['help', 'help opens beside the page, finds paragraphs, and gives the focus back']

const none = 'There is no sound, no film and no live stream.'
const row = (
  id: string,
  name: string,
  level: Criterion['level'],
  result: Conformance,
  tried: readonly Tried[] = [],
  remark?: string
): Criterion => ({ id, name, level, result, tried, ...(remark !== undefined && { remark }) })

export const criteria: readonly Criterion[] = [
  row(
    '1.1.1',
    'Non-text Content',
    'A',
    'partially supports',
    [axe],
    'Images of documents are named by their field; what they show is described by nobody.'
  ),
  row('1.2.1', 'Audio-only and Video-only', 'A', 'not applicable', [], none),
  row('1.2.2', 'Captions (Prerecorded)', 'A', 'not applicable', [], none),
  row('1.2.3', 'Audio Description or Media Alternative', 'A', 'not applicable', [], none),
  row('1.2.4', 'Captions (Live)', 'AA', 'not applicable', [], none),
  row('1.2.5', 'Audio Description (Prerecorded)', 'AA', 'not applicable', [], none),
  row('1.3.1', 'Info and Relationships', 'A', 'supports', [axe, spoken]),
  row('1.3.2', 'Meaningful Sequence', 'A', 'supports', [spoken]),
  row('1.3.3', 'Sensory Characteristics', 'A', 'not evaluated', [], 'The sentences were not read for this.'),
  row('1.3.4', 'Orientation', 'AA', 'supports', [small]),
  row(
    '1.3.5',
    'Identify Input Purpose',
    'AA',
    'not applicable',
    [],
    'Fields are about applicants, not about the user; the user’s name is suggested by the system.'
  ),
  row('1.4.1', 'Use of Color', 'A', 'supports', [forced]),
  row('1.4.2', 'Audio Control', 'A', 'not applicable', [], none),
  row('1.4.3', 'Contrast (Minimum)', 'AA', 'supports', [axe, axeOfRecords]),
  row('1.4.4', 'Resize Text', 'AA', 'supports', [axeOfRecords]),
  row('1.4.5', 'Images of Text', 'AA', 'supports', [axe], 'Documents of applicants are images by nature.'),
  row(
    '1.4.10',
    'Reflow',
    'AA',
    'supports',
    [axeOfRecords, ['case', 'at 400 per cent a case is one column of four parts']],
    'Tables and documents scroll in two directions.'
  ),
  row(
    '1.4.11',
    'Non-text Contrast',
    'AA',
    'partially supports',
    [everyStop, forced],
    'Borders of fields were measured for the focus, not for every state.'
  ),
  row(
    '1.4.12',
    'Text Spacing',
    'AA',
    'not evaluated',
    [],
    'Longer texts fit (the test of another language); wider spacing was not tried.'
  ),
  row('1.4.13', 'Content on Hover or Focus', 'AA', 'not evaluated'),
  row('2.1.1', 'Keyboard', 'A', 'supports', [
    withoutMouse,
    ['keyboard', 'an applicant in the queue is decided, and a message interpreted, without a mouse']
  ]),
  row('2.1.2', 'No Keyboard Trap', 'A', 'supports', [everyStop, dialogs]),
  row('2.1.4', 'Character Key Shortcuts', 'A', 'supports', [letters], 'They can be switched off in the settings.'),
  row(
    '2.2.1',
    'Timing Adjustable',
    'A',
    'supports',
    [['lock', 'a running batch is paused, or continues while the page says so']],
    'The lock after inactivity is adjustable and can be turned off, unless a policy sets it; drafts are kept.'
  ),
  row('2.2.2', 'Pause, Stop, Hide', 'A', 'supports', [still]),
  row('2.3.1', 'Three Flashes or Below Threshold', 'A', 'supports', [still], 'Nothing flashes.'),
  row('2.4.1', 'Bypass Blocks', 'A', 'supports', [
    ['case', 'a link leads past everything to the decision'],
    ['frame', 'F6 goes through the parts']
  ]),
  row('2.4.2', 'Page Titled', 'A', 'supports', [axe]),
  row('2.4.3', 'Focus Order', 'A', 'supports', [
    everyStop,
    ['focus', 'after every button of every view the focus is somewhere']
  ]),
  row('2.4.4', 'Link Purpose (In Context)', 'A', 'supports', [axe, spoken]),
  row('2.4.5', 'Multiple Ways', 'AA', 'supports', [
    frame,
    ['palette', 'the palette finds applicants, records and batches by what they are called']
  ]),
  row('2.4.6', 'Headings and Labels', 'AA', 'supports', [axe, spoken]),
  row('2.4.7', 'Focus Visible', 'AA', 'supports', [everyStop]),
  row('2.4.11', 'Focus Not Obscured (Minimum)', 'AA', 'supports', [everyStop]),
  row(
    '2.5.1',
    'Pointer Gestures',
    'A',
    'supports',
    [['documents', 'the pointer zooms and moves, the brightness changes, and the digest is copied']],
    'Every gesture has a button or a key.'
  ),
  row('2.5.2', 'Pointer Cancellation', 'A', 'supports', [
    ['reasons-drag', 'Escape leaves a row in place, and so does a press without a movement']
  ]),
  row('2.5.3', 'Label in Name', 'A', 'supports', [axe]),
  row('2.5.4', 'Motion Actuation', 'A', 'not applicable', [], 'Nothing reacts to motion.'),
  row('2.5.7', 'Dragging Movements', 'AA', 'supports', [
    ['case', 'the borders of a case are moved by keyboard and pointer, kept, and reset']
  ]),
  row('2.5.8', 'Target Size (Minimum)', 'AA', 'supports', [axe, axeOfRecords]),
  row('3.1.1', 'Language of Page', 'A', 'supports', [axe]),
  row(
    '3.1.2',
    'Language of Parts',
    'AA',
    'partially supports',
    [],
    'Messages of the service have no language of their own: it is not known.'
  ),
  row('3.2.1', 'On Focus', 'A', 'supports', [everyStop]),
  row('3.2.2', 'On Input', 'A', 'not evaluated'),
  row('3.2.3', 'Consistent Navigation', 'AA', 'supports', [frame]),
  row(
    '3.2.4',
    'Consistent Identification',
    'AA',
    'not evaluated',
    [],
    'One thing has one name by the project’s vocabulary; nobody compared all views.'
  ),
  row('3.2.6', 'Consistent Help', 'A', 'supports', [help]),
  row('3.3.1', 'Error Identification', 'A', 'supports', [forms, corrected]),
  row('3.3.2', 'Labels or Instructions', 'A', 'supports', [axe, forms]),
  row('3.3.3', 'Error Suggestion', 'AA', 'supports', [corrected]),
  row('3.3.4', 'Error Prevention (Legal, Financial, Data)', 'AA', 'supports', [
    ['retention', 'data past retention is erased after a typed confirmation']
  ]),
  row('3.3.7', 'Redundant Entry', 'A', 'supports', [
    ['forms', 'a form keeps its text while the user is on other pages, and a record fills it again']
  ]),
  row(
    '3.3.8',
    'Accessible Authentication (Minimum)',
    'AA',
    'supports',
    [['lock', 'a passphrase: the next start is locked, wrong ones are refused']],
    'A passphrase can be pasted and filled in by a password manager; without one, a key unlocks.'
  ),
  row('4.1.2', 'Name, Role, Value', 'A', 'supports', [axe, axeOfRecords, spoken, byOrca]),
  row(
    '4.1.3',
    'Status Messages',
    'AA',
    'partially supports',
    [spoken, byOrca],
    'Orca says those of the main tasks; a message directly before the focus moves may be dropped.'
  )
]

const shown = ([file, title]: Tried): string => `\`tests/app/${file}.spec.ts\` “${title}”`

/** The text of docs/accessibility.md. */
export function accessibilityPage(): string {
  const count = (result: Conformance): number => criteria.filter((each) => each.result === result).length
  const rows = criteria.map(
    ({ id, name, level, result, tried, remark }) =>
      `| ${id} | ${name} | ${level} | ${result} | ${tried.map(shown).join('; ') || '–'} | ${remark ?? ''} |`
  )
  return `# Accessibility

Generated by \`npm run reference\` from \`scripts/accessibility-page.ts\`; a test fails if a named test does not exist.

This is a report in the form of VPAT 2.5 INT on the criteria of WCAG 2.2 at levels A and AA, which chapter 11 (software) of EN 301 549 takes over.
It says how each was tried: by an automatic test in a real window, or not at all. No person with a disability has evaluated Veridesk yet. Of screen
readers, Orca was tried, and by tests alone (below). Chapters 9 (web), 10 (documents) and 12 (services) are not covered.

Of ${criteria.length} criteria: ${count('supports')} supported, ${count('partially supports')} partially supported, ${count('not applicable')} not applicable, ${count('not evaluated')} not evaluated.

| # | criterion | level | result | tried by | remark |
|---|---|---|---|---|---|
${rows.join('\n')}

## Of EN 301 549, besides
| clause | result |
|---|---|
| 5.2 Activation of accessibility features | the system’s: reduced motion, forced colours, theme and text size are followed at once |
| 11.5 Interoperability with assistive technology | the accessibility tree of Chromium; on Linux \`--force-renderer-accessibility\` turns it on before a screen reader is started. where Orca is installed, a test starts it with a real window, does the main tasks by keyboard alone and compares what Orca says (\`tests/app/orca.spec.ts\`; passed with Orca 43.1 and Chromium 156): the pages, the rows of the queue and the history, the fields with their examples, help and needs, faults when they appear, the outcome and message of an answer, the next case and the lock. Its keys reach the window past Orca, so Orca’s own commands, such as reading by heading, are not tried. Everywhere, a test reads the words of the same tasks from the tree (\`tests/app/screen-reader.spec.ts\`) |
| 11.7 User preferences | theme, density, dates, time zone and single-letter keys in the settings; the rest is the system’s |
`
}
