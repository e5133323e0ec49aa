import { expect, it } from 'vitest'
import type { FailureCode } from '#contract/failures/failures.ts'
import { sentencesOf } from '#contract/failures/sentences.ts'
import { failureTable } from '#contract/failures/table.ts'
import { failureAfterSending } from '../../electron/hosts/cli/context.ts'
import { exitCodes } from '../../electron/hosts/cli/exit.ts'

it('gives each way to end a code of its own', () => {
  const codes = Object.values(exitCodes).map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
})

it.each(Object.keys(failureTable) as FailureCode[])('after sending, %s does not say that nothing was sent', (code) => {
  const { exit, error } = failureAfterSending({ code })
  expect(exitCodes[exit].nothingSent).toBe(false)
  const { what, nextStep } = sentencesOf({ code })
  expect(error).toBe(
    `${what}\nRequests may have been sent before this. The history contains what is known about each.\n${nextStep}`
  )
})
