/**
 * What pdf.js needs for some documents, from the program's own files: the standard fonts, which a document may use
 * without containing them, the encodings of Chinese, Japanese and Korean, and the decoders of JPEG 2000 and JBIG2. They are modules, since the worker may
 * load scripts of the program and nothing else; each is loaded when a document needs it.
 */
const files: Readonly<Record<string, () => Promise<string>>> = {
  ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url&inline',
    import: 'default'
  }),
  ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/wasm/{jbig2,openjpeg}.wasm', {
    query: '?url&inline',
    import: 'default'
  }),
  ...import.meta.glob<string>('../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url&inline',
    import: 'default'
  })
}
const folders: Readonly<Record<string, string>> = {
  cMapUrl: 'cmaps',
  standardFontDataUrl: 'standard_fonts',
  wasmUrl: 'wasm'
}

/** The bytes of one of these files; rejects if there is none of this name. */
async function shipped(kind: string, filename: string): Promise<Uint8Array> {
  const load = files[`../../../../node_modules/pdfjs-dist/${folders[kind]}/${filename}`]
  if (!load) throw new Error('not shipped')
  const address = await load()
  return Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (character) => character.charCodeAt(0))
}

/** For pdf.js. It passes names that documents chose; they are looked up in a list and make no path. `onDecoder` sees the decoders. */
export const shippedData = (onDecoder: (bytes: Uint8Array) => void) =>
  class {
    async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
      const bytes = await shipped(kind, filename)
      if (kind === 'wasmUrl') onDecoder(bytes.slice())
      return bytes
    }
  }
