import { expect, it } from 'vitest'
import '../../renderer/zod-setup.ts'

it('has zod compile nothing in the window, though zod comes later', async () => {
  const { config } = await import('zod')
  expect(config().jitless).toBe(true)
})
