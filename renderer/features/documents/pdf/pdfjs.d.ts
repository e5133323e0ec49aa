/** The reading part of pdf.js, which its package does not describe. */
declare module 'pdfjs-dist/legacy/build/pdf.worker.mjs' {
  export const WorkerMessageHandler: { initializeFromPort(port: MessagePort): void }
}
