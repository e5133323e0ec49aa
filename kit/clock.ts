/** Time. `now` is the wall clock in Unix milliseconds, for people; `monotonic` in milliseconds, for durations. */
export interface Clock {
  now(): number
  monotonic(): number
}
