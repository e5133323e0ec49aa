import { expect, it } from 'vitest'
import { failure, failureTable, type FailureCode } from '#contract/failures.ts'
import { failureAfterSending } from '../../electron/cli/context.ts'
import { exitCodes } from '../../electron/cli/exit.ts'

it('gives each way to end a code of its own', () => {
  const codes = Object.values(exitCodes).map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
})

it.each(Object.keys(failureTable) as FailureCode[])('after sending, %s does not say that nothing was sent', (code) => {
  const { exit, error } = failureAfterSending({ ...failure(code), what: 'It failed.', todo: 'Look.' })
  expect(exitCodes[exit].nothingSent).toBe(false)
  expect(error).toBe('It failed.\nRequests may have been sent before; the history holds what is known of each.\nLook.')
})
