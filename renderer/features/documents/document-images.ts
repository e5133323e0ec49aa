/** Documents in the window's memory: each is fetched once, for its frame and its thumbnail, and dropped with what shows it. */
import { onBeforeUnmount, shallowRef, triggerRef, watch, type ShallowRef } from 'vue'
import type { Failure } from '#contract/failures/failures.ts'
import type { ListedDocument } from './document-list.ts'
import { imageOf, pdfOf, type LoadedDocument } from './document-view.ts'
import { useDocuments } from './documents-store.ts'

/** What is known of a document that was asked for. */
export interface DocumentImage {
  readonly loaded?: LoadedDocument
  readonly failure?: Failure
  /** The image, or the bytes of a PDF; neither if what was fetched cannot be shown. */
  readonly address?: string
  readonly pdf?: Uint8Array<ArrayBuffer>
}

export interface DocumentImages {
  readonly images: ShallowRef<ReadonlyMap<string, DocumentImage>>
  /** Fetches one again, after a failure. */
  again(document: ListedDocument): void
}

/** @param wanted Those that may be fetched now. */
export function useDocumentImages(wanted: () => readonly ListedDocument[]): DocumentImages {
  const store = useDocuments()
  const images = shallowRef(new Map<string, DocumentImage>())
  const stops = new Map<string, () => void>()
  let closed = false

  const put = (key: string, image: DocumentImage | undefined): void => {
    if (image) images.value.set(key, image)
    else images.value.delete(key)
    triggerRef(images)
  }
  async function take(key: string, loaded: LoadedDocument): Promise<void> {
    const pdf = await pdfOf(loaded)
    const image = pdf ? undefined : await imageOf(loaded).catch(() => undefined)
    if (closed || !stops.has(key)) return
    put(key, { loaded, ...(pdf && { pdf }), ...(image && { address: URL.createObjectURL(image) }) })
  }
  function open({ key, source }: ListedDocument): void {
    put(key, {})
    stops.set(
      key,
      store.open(source, (answer) => {
        if (answer.ok) void take(key, answer.value)
        else put(key, { failure: answer.failure })
      })
    )
  }
  function drop(key: string): void {
    stops.get(key)?.()
    stops.delete(key)
    const address = images.value.get(key)?.address
    if (address !== undefined) URL.revokeObjectURL(address)
    put(key, undefined)
  }
  watch(
    wanted,
    (documents) => {
      const keys = new Set(documents.map(({ key }) => key))
      for (const key of [...stops.keys()]) if (!keys.has(key)) drop(key)
      for (const each of documents) if (!stops.has(each.key)) open(each)
    },
    { immediate: true }
  )
  onBeforeUnmount(() => {
    closed = true
    for (const key of [...stops.keys()]) drop(key)
  })
  return {
    images,
    again: (document) => {
      drop(document.key)
      open(document)
    }
  }
}
