/** What a window and Node both have and the contract uses; it may use nothing that only one of them has. */
interface URLSearchParams {
  get(name: string): string | null
  has(name: string): boolean
  keys(): IterableIterator<string>
  entries(): IterableIterator<[string, string]>
  [Symbol.iterator](): IterableIterator<[string, string]>
}
interface URL {
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly origin: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  search: string
  hash: string
  readonly href: string
  readonly searchParams: URLSearchParams
}
declare const URL: { new (url: string): URL; canParse(url: string): boolean }
declare class TextDecoder {
  constructor(label?: string, options?: { readonly fatal?: boolean; readonly ignoreBOM?: boolean })
  decode(input?: Uint8Array, options?: { readonly stream?: boolean }): string
}
declare function atob(text: string): string
