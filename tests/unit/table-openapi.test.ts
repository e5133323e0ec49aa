/** The table and the independent description of the interface match. */
import { describe, expect, it } from 'vitest'
import { credentials } from '#contract/connections/credentials.ts'
import { operations } from '#contract/verification/operations.ts'
import description from '../fixtures/openapi/ekyc.json' with { type: 'json' }

const paths = Object.entries(description.paths)

describe('the table and the OpenAPI description', () => {
  it('have the same paths', () => {
    expect(operations.map(({ path }) => path).toSorted()).toEqual(paths.map(([path]) => path).toSorted())
  })

  it.each(paths)('say the same of %s', (path, { post, ...otherMethods }) => {
    const operation = operations.find((declared) => declared.path === path)
    const { schema } = post.requestBody.content['application/json']
    const names = operation?.fields.map(({ name }) => name)
    expect(otherMethods).toEqual({})
    expect(names).toEqual(Object.keys(schema.properties))
    expect(names).toEqual(schema.required)
    expect(Object.values(schema.properties)).toEqual(names?.map(() => ({ type: 'string' })))
    expect(operation?.title).toBe(post.summary)
    const stated = Object.entries(post.responses).filter(([status]) => status !== 'default')
    expect(operation?.statedStatuses.map(({ status, meaning }) => [String(status), meaning])).toEqual(
      stated.map(([status, { description: meaning }]) => [status, meaning])
    )
    if ('tags' in post) expect(operation?.group).toBe(post.tags[0])
  })

  it('ask for the same headers', () => {
    expect(credentials.map(({ header }) => header)).toEqual(
      Object.values(description.components.securitySchemes).map(({ name }) => name)
    )
    expect(description.security).toEqual([
      Object.fromEntries(Object.keys(description.components.securitySchemes).map((name) => [name, []]))
    ])
  })
})
