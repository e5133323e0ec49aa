/** The keys that the help lists for a page are those that its controls have. */
import { expect, it } from 'vitest'
import { keysOf } from '../../renderer/features/help/page-keys.ts'

it.each(['queue', 'applicant'])('has the keys of a case and of its documents, each once: %s', (page) => {
  const keys = keysOf(page).flatMap((shortcut) => shortcut.keys)
  expect(keys).toEqual(expect.arrayContaining([...'ADENVIPXLWFRM', '[', ']', '+', '-', '0']))
  for (const key of [...'NVIPXLWFRM'])
    expect(
      keys.filter((each) => each === key),
      key
    ).toHaveLength(1)
})
