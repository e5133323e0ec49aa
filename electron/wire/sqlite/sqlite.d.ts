// The package's "exports" hide its types from TypeScript; these are the ones used here.
declare module 'better-sqlite3-multiple-ciphers' {
  interface Statement {
    run(...values: unknown[]): { readonly changes: number; readonly lastInsertRowid: number | bigint }
    get(...values: unknown[]): unknown
    all(...values: unknown[]): unknown[]
    iterate(...values: unknown[]): IterableIterator<unknown>
    pluck(on?: boolean): Statement
    raw(on?: boolean): Statement
  }
  interface Transaction<T> {
    (): T
    immediate(): T
  }
  export default class Database {
    constructor(
      path: string,
      options?: { readonly timeout?: number; readonly readonly?: boolean; readonly fileMustExist?: boolean }
    )
    readonly open: boolean
    readonly inTransaction: boolean
    /** Whether it is in memory only. */
    readonly memory: boolean
    prepare(sql: string): Statement
    exec(sql: string): this
    pragma(text: string, options?: { readonly simple?: boolean }): unknown
    transaction<T>(work: () => T): Transaction<T>
    close(): this
  }
}
