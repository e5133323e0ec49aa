/**
 * Reads a PDF document and draws its pages, in a worker of its own: no document, no network, and the window ends it
 * whenever it likes. All of pdf.js is here, so nothing of a PDF but pixels and the number of pages reaches the window.
 *
 * pdf.js is started without what a hostile document would use: there is no scripting, no form of XFA, no layer of links,
 * no WebAssembly but that of two decoders, no font of the browser, and nothing that it could fetch.
 */
// The builds for older browsers: the preview runs in whichever is installed.
import {
  AnnotationMode,
  getDocument,
  PDFWorker,
  VerbosityLevel,
  type PDFDocumentProxy,
  type RenderTask
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import { WorkerMessageHandler } from 'pdfjs-dist/legacy/build/pdf.worker.mjs'
import { maxDocumentPixels } from '#contract/documents/documents.ts'
import { onlyDecoders } from './assembly.ts'
import { canvasesWithin, NoFilters } from './drawing.ts'
import { limitMemory } from './memory.ts'
import type { PageOrder, PdfAnswer, PdfRequest } from './messages.ts'
import { canvasFor, pixelsPerPoint } from './page-size.ts'
import { shippedData } from './shipped.ts'

interface WorkerScope {
  onmessage: ((event: MessageEvent<PdfRequest>) => void) | null
  postMessage(answer: PdfAnswer, transferred?: Transferable[]): void
}
const scope = self as unknown as WorkerScope

const mebibyte = 1024 * 1024
/** The pixels of the largest image, and eight times as much for a page. */
const each = 256 * mebibyte
const memory = limitMemory(globalThis, { each, together: 2048 * mebibyte })
const decoders = onlyDecoders(globalThis, memory, each)
/** Steps of drawing a page; plans of cities have some hundred thousand. Each stays in memory until the page is drawn. */
const maxSteps = 1_000_000

// Unpacks outside of the limit. Without it pdf.js unpacks by itself.
Reflect.deleteProperty(globalThis, 'DecompressionStream')

let opened: PDFDocumentProxy | undefined
let drawing: RenderTask | undefined
let steps = 0
/** Parts of the page that pdf.js leaves out: it says so in warnings, and goes on. */
let missing = 0
const leftOut =
  /Unable to decode image|Image exceeded maximum|ignoring (?:XObject|Shading|shading|pattern|errors)|ignoring the rest of the image/
console.warn = (...said: readonly unknown[]): void => {
  if (leftOut.test(String(said[0]))) missing += 1
}

/** The reading part of pdf.js, on the other side of a channel on which its steps are counted. */
function reader(): PDFWorker {
  const { port1, port2 } = new MessageChannel()
  WorkerMessageHandler.initializeFromPort(port2)
  port1.addEventListener('message', ({ data }: MessageEvent<{ readonly chunk?: { readonly length?: unknown } }>) => {
    if (typeof data.chunk?.length === 'number') steps += data.chunk.length
    if (steps > maxSteps) drawing?.cancel()
  })
  port1.start()
  port2.start()
  // Its types know no port at all.
  return new PDFWorker({ port: port1 as never, verbosity: VerbosityLevel.WARNINGS })
}

async function open(id: number, bytes: Uint8Array<ArrayBuffer>): Promise<PdfAnswer> {
  try {
    opened = await getDocument({
      data: bytes,
      worker: reader(),
      verbosity: VerbosityLevel.WARNINGS,
      enableXfa: false,
      disableFontFace: true,
      useSystemFonts: false,
      useWasm: true,
      useWorkerFetch: false,
      isImageDecoderSupported: false,
      isOffscreenCanvasSupported: false,
      disableWorkerRendering: true,
      maxImageSize: maxDocumentPixels,
      CanvasFactory: canvasesWithin(memory),
      FilterFactory: NoFilters,
      BinaryDataFactory: shippedData(decoders.add)
    }).promise
    return { id, pages: opened.numPages }
  } catch (error) {
    return {
      id,
      fault: memory.exceeded() ? 'complex' : (error as Error).name === 'PasswordException' ? 'password' : 'damaged'
    }
  }
}

async function draw(id: number, { number, density, pixels }: PageOrder): Promise<PdfAnswer> {
  drawing?.cancel()
  memory.begin()
  steps = missing = 0
  let task: RenderTask | undefined
  try {
    const page = await opened?.getPage(number)
    const natural = page?.getViewport({ scale: pixelsPerPoint })
    const size = natural && canvasFor(natural, density, pixels)
    if (!page || !size) return { id, fault: 'damaged' }
    const canvas = new OffscreenCanvas(size.width, size.height)
    // What annotations look like is drawn, since a filled form would be empty without; none of them can be used.
    drawing = task = page.render({
      canvas: canvas as unknown as HTMLCanvasElement,
      viewport: page.getViewport({ scale: pixelsPerPoint * size.density }),
      annotationMode: AnnotationMode.ENABLE
    })
    await task.promise
    page.cleanup()
    if (memory.exceeded()) return { id, fault: 'complex' }
    return {
      id,
      picture: {
        width: natural.width,
        height: natural.height,
        density: size.density,
        missing,
        bitmap: canvas.transferToImageBitmap()
      }
    }
  } catch (error) {
    if (memory.exceeded() || steps > maxSteps) return { id, fault: 'complex' }
    return (error as Error).name === 'RenderingCancelledException' ? { id, stopped: true } : { id, fault: 'damaged' }
  } finally {
    if (drawing === task) drawing = undefined
  }
}

scope.onmessage = ({ data }) => {
  // pdf.js listens here too, and has messages of its own.
  const answer =
    data.kind === 'open' ? open(data.id, data.bytes) : data.kind === 'page' ? draw(data.id, data) : undefined
  void answer?.then((given) => scope.postMessage(given, 'picture' in given ? [given.picture.bitmap] : []))
}
