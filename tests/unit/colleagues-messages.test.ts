/** Which messages that only colleagues have may be shown while the screen is shared. */
import { expect, it } from 'vitest'
import type { CatalogueReader } from '../../electron/store/projections/catalogue-reader.ts'
import type { Dictionary } from '../../electron/store/projections/dictionary.ts'
import { Colleagues } from '../../electron/store/overview/colleagues.ts'

/** What this installation has itself is not asked here: nothing. */
const nothing = { numberOf: () => undefined } as unknown as CatalogueReader

function heard(...cases: readonly (readonly [applicantId: string | undefined, message: string])[]) {
  const colleagues = new Colleagues({ connections: new Map() } as unknown as Dictionary, nothing)
  const ids: number[] = []
  const numbers = { reviewer: () => 0, message: (id: number) => ids.push(id) }
  cases.forEach(([applicantId, message], place) =>
    colleagues.read(
      {
        key: `${applicantId ?? `subject ${place}`}`,
        ...(applicantId !== undefined && { applicantId }),
        events: [{ kind: 'evidence', place, at: place, operation: 'validate-passport', status: 200, message }]
      },
      numbers
    )
  )
  return colleagues.message(ids.at(-1) ?? 0).own
}

it('shows a message that several applicants have', () => {
  expect(heard(['A-1', 'Fine.'], ['A-2', 'Fine.'], ['A-3', 'Fine.'])).toBe(false)
})

it.each([
  ['one applicant has', [['A-1', 'Fine.']]],
  [
    'one applicant has several times',
    [
      ['A-1', 'Fine.'],
      ['A-1', 'Fine.'],
      ['A-1', 'Fine.']
    ]
  ],
  [
    'names one of those who have it',
    [
      ['A-1', 'a-2 is blocked.'],
      ['A-2', 'a-2 is blocked.'],
      ['A-3', 'a-2 is blocked.']
    ]
  ],
  [
    'somebody has whose ID is not known',
    [
      ['A-1', 'Fine.'],
      ['A-2', 'Fine.'],
      ['A-3', 'Fine.'],
      [undefined, 'Fine.']
    ]
  ]
] as const)('hides a message that %s', (_which, cases) => expect(heard(...cases)).toBe(true))
