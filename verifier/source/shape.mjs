/** Structure: a test answers undefined, or what is wrong, behind the way to it. */
import { isObject } from './canonical.mjs'
import { fromBase64 } from './bytes.mjs'

const notRight = ' is not what it must be'
export const that = (holds) => (value) => (holds(value) ? undefined : notRight)
export const anything = () => undefined
export const isText = that((value) => typeof value === 'string')
export const isTruth = that((value) => typeof value === 'boolean')
export const isWhole = that((value) => Number.isSafeInteger(value) && value >= 0)
export const isPositive = that((value) => Number.isSafeInteger(value) && value > 0)
/** The range of a date (ECMAScript): 100,000,000 days around 1970. */
export const isTime = that((value) => Number.isSafeInteger(value) && Math.abs(value) <= 8.64e15)
export const isHex = (bytes) =>
  that((value) => typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value))
export const isBase64 = that((value) => typeof value === 'string' && fromBase64(value) !== undefined)
export const orNull = (test) => (value) => (value === null ? undefined : test(value))
export const oneOf = (...values) => that((value) => values.includes(value))
export const listOf =
  (test, least = 0) =>
  (value) => {
    if (!Array.isArray(value) || value.length < least) return notRight
    for (const [index, each] of value.entries()) {
      const wrong = test(each)
      if (wrong !== undefined) return `[${index}]${wrong}`
    }
  }
/** A list with one test for each member. */
export const tupleOf =
  (...tests) =>
  (value) => {
    if (!Array.isArray(value) || value.length !== tests.length) return notRight
    for (const [index, test] of tests.entries()) {
      const wrong = test(value[index])
      if (wrong !== undefined) return `[${index}]${wrong}`
    }
  }
export const shape =
  (tests, optional = {}) =>
  (value) => {
    if (!isObject(value)) return notRight
    const further = Object.keys(value).find((key) => !Object.hasOwn(tests, key) && !Object.hasOwn(optional, key))
    if (further !== undefined) return `.${further.slice(0, 60)} is no part of a pack`
    for (const [key, test] of Object.entries(tests)) {
      const wrong = Object.hasOwn(value, key) ? test(value[key]) : ' is missing'
      if (wrong !== undefined) return `.${key}${wrong}`
    }
    for (const [key, test] of Object.entries(optional)) {
      const wrong = Object.hasOwn(value, key) ? test(value[key]) : undefined
      if (wrong !== undefined) return `.${key}${wrong}`
    }
  }
/** One of two structures, by whether an object has a member. */
export const byMember = (name, having, lacking) => (value) =>
  (isObject(value) && Object.hasOwn(value, name) ? having : lacking)(value)
