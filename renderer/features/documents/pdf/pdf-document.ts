/** A PDF document as the window sees it: a worker that is ended when it takes too long, fails, or is not needed. */
import {
  pdfSeconds,
  type PageOrder,
  type PdfAnswer,
  type PdfFault,
  type PdfPicture,
  type PdfRequest
} from './messages.ts'
import { startDocumentWorker } from './worker-address.ts'

export interface PdfDocument {
  /** The number of its pages. */
  open(): Promise<number | PdfFault>
  /** Draws a page. Undefined if another one was ordered in the meantime. */
  page(order: PageOrder): Promise<PdfPicture | PdfFault | undefined>
  close(): void
}

/** The part of a request that its sender fills in. */
type Asked = PdfRequest extends infer Each ? (Each extends PdfRequest ? Omit<Each, 'id'> : never) : never

/** A document that keeps its bytes, so that a page which cannot be shown does not end the others. */
export function createPdfDocument(bytes: Uint8Array<ArrayBuffer>): PdfDocument {
  const waiting = new Map<number, (answer: PdfAnswer | { readonly fault: PdfFault }) => void>()
  let worker: Worker | undefined
  let opening: Promise<PdfAnswer | { readonly fault: PdfFault }> | undefined
  let last = 0

  /** Ends the worker, with everything that it holds. */
  function end(fault: PdfFault): void {
    worker?.terminate()
    worker = opening = undefined
    for (const answer of [...waiting.values()]) answer({ fault })
  }

  function start(): Worker {
    const started = startDocumentWorker()
    started.onmessage = ({ data }: MessageEvent<Partial<PdfAnswer>>) => {
      if (data.id !== undefined) waiting.get(data.id)?.(data as PdfAnswer)
    }
    started.onerror = () => end('unusable')
    return started
  }

  function ask(asked: Asked): Promise<PdfAnswer | { readonly fault: PdfFault }> {
    worker ??= start()
    const id = (last += 1)
    return new Promise((resolve) => {
      const timer = setTimeout(() => end('slow'), pdfSeconds * 1000)
      waiting.set(id, (answer) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(answer)
        // What filled the memory is freed with its worker.
        if ('fault' in answer && answer.fault === 'complex') end('complex')
      })
      worker?.postMessage({ ...asked, id })
    })
  }

  const opened = () => (opening ??= ask({ kind: 'open', bytes }))

  return {
    async open() {
      const answer = await opened()
      return 'pages' in answer ? answer.pages : 'fault' in answer ? answer.fault : 'damaged'
    },
    async page(order) {
      const document = await opened()
      if ('fault' in document) return document.fault
      const answer = await ask({ kind: 'page', ...order })
      if ('stopped' in answer) return undefined
      return 'picture' in answer ? answer.picture : 'fault' in answer ? answer.fault : 'damaged'
    },
    close: () => end('unusable')
  }
}
