/** How a part tells others that are created after it, so that composition needs no reference to what does not exist yet. */
export interface Signal<T> {
  /** Registers a function; it must not throw. */
  on(listener: (value: T) => void): void
  /** Calls every function in the order of registration. */
  tell(value: T): void
}

export function createSignal<T>(): Signal<T> {
  const listeners: ((value: T) => void)[] = []
  return {
    on: (listener) => void listeners.push(listener),
    tell: (value) => listeners.forEach((listener) => listener(value))
  }
}
