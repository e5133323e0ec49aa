/** Documents behind links: why one was not requested, not fetched or not shown. */
import type { FailureRows } from '../failures/declaration.ts'

const nothingRequested = 'Nothing was requested from it.'
const notShown = 'It was fetched without credentials, and it is not shown or stored.'

export const documentFailures = {
  'document-link-missing': {
    what: 'There is no link in this field.',
    impact: 'Nothing was requested.',
    nextStep: 'Open another field. The data of the record may have been erased.'
  },
  'document-not-noted': {
    what: 'Nothing was noted about the document behind this link, so there is nothing to compare with.',
    impact: 'Nothing was requested.',
    nextStep: 'Note it from now on, and compare later.'
  },
  'document-copy-failed': {
    what: 'No copy of the document was kept: {reason}.',
    impact: 'Nothing was sent.',
    nextStep: 'Make space if there is too little, and try again. Whoever manages the connection can switch copies off.',
    guide: 'Copies of documents',
    reasons: {
      erased: 'the applicant’s data was erased in the meantime',
      session: 'the history is in memory only, and ends with Veridesk',
      stopped: 'Veridesk was locked, or its data removed from the screen, before it was complete',
      sample: 'sample data are thrown away with their window',
      quota: 'all copies together may have {limitBytes}',
      space: 'less than {limitBytes} would be left on the disk',
      other: 'the file could not be written ({errno})'
    }
  },
  'document-copies-off': {
    what: 'No copy of the document was kept: the connection keeps none any more.',
    impact: 'The verification was sent. Nothing was requested from the link afterwards.',
    nextStep: 'If a copy is needed, keep one of the record, or add a file.',
    guide: 'Copies of documents'
  },
  'document-copied': {
    what: 'The record has a copy of this document.',
    impact: 'Nothing was requested, and nothing was recorded.',
    nextStep: 'Open the copy, or compare it with what is behind the link today.',
    guide: 'Copies of documents'
  },
  'document-file-refused': {
    what: 'The file was not added: {reason}.',
    impact: 'No copy was kept, and the record is unchanged.',
    nextStep:
      'Choose another file, or ask its sender for another format: JPEG, PNG, WebP, AVIF, HEIC, JPEG 2000 and PDF can be added.',
    guide: 'Copies of documents',
    reasons: {
      large: 'it is larger than {limitBytes}',
      pixels: 'it has more pixels than can be shown',
      damaged: 'its beginning is damaged',
      type: 'it is no photo or document that can be shown',
      other: 'it could not be read ({errno})'
    }
  },
  'document-copy-unusable': {
    what: 'The copy of this document cannot be opened: {reason}.',
    impact: 'What the record says about the document is unchanged.',
    nextStep:
      'If its file is in a backup of the data folder, put it back. Otherwise keep a copy again, on the record: from the link while it is whole, or from a file.',
    guide: 'Copies of documents',
    reasons: {
      missing: 'its file is missing',
      damaged: 'its file is damaged or not the one that was kept',
      other: 'its file could not be read ({errno})'
    }
  },
  'documents-unchecked': {
    what: 'Not all copies of documents were verified, because Veridesk was closing.',
    impact: 'What was found until then is recorded.',
    nextStep: 'Verify them again.'
  },
  'documents-not-copied': {
    what: 'Copies of documents could not be copied to {folder}: {reason}.',
    impact: 'What is there already is complete, and nothing in it was changed.',
    nextStep: 'Choose another folder, or make space. The same command continues with what is missing there.',
    guide: 'Copies of documents',
    reasons: {
      own: 'it is in the data folder of Veridesk',
      other: 'it cannot be written ({errno})'
    }
  },
  'other-files-kept': {
    what: 'No files were deleted: {reason}.',
    impact: 'All files of documents are as they were.',
    nextStep: 'Read the list again.',
    guide: 'Copies of documents',
    reasons: {
      unread: 'what {folder} names cannot be read, and it may name them',
      changed: 'they are not those that were shown any more',
      session: 'the history of this data folder is not open'
    }
  },
  'document-link-removed': {
    what: 'The history stores this link without its signature, so it no longer opens the document.',
    impact: 'Nothing was requested.',
    nextStep: 'Get a new link from its source and paste it into a new verification.'
  },
  'document-link-invalid': {
    what: 'This link cannot be opened. {fields}',
    impact: 'Nothing was requested.',
    nextStep: 'Correct the link.'
  },
  'document-address-private': {
    what: 'The document is not requested from {host}: {reason}.',
    impact: nothingRequested,
    nextStep:
      'If documents of this connection are in your own network, allow private addresses in the connection. Otherwise do not open the link.',
    guide: 'Documents',
    reasons: {
      loopback: 'it is this computer',
      private: 'it is in a private network',
      carrier: 'it is in the network of a carrier'
    }
  },
  'document-address-refused': {
    what: 'The document is not requested from {host}: {reason}.',
    impact: nothingRequested,
    nextStep: 'Do not open the link. Ask its sender for one to a public address.',
    reasons: {
      'link-local': 'it is a link-local address, where computers keep their own secrets',
      'multicast': 'it is a multicast address',
      'unspecified': 'it is not the address of a computer',
      'reserved': 'it is a reserved address',
      'downgrade': 'a secure address redirects to it without encryption',
      'scheme': 'a redirect leads to an address that is neither https nor http',
      'credentials': 'a redirect contains a user name or password'
    }
  },
  'document-not-fetched': {
    what: 'The document could not be fetched from {host}: {reason}.',
    impact: 'No credentials were sent, and nothing is shown or stored.',
    nextStep: 'Check whether the link has expired, and try again.',
    guide: 'Documents',
    reasons: {
      silence: 'it was not complete within {seconds} seconds',
      status: 'the status of the response was {status}',
      redirects: 'there were more than {limit} redirects',
      lost: 'the connection was closed before it was complete',
      compressed: 'its compression is damaged',
      other: 'the connection failed ({errno})'
    }
  },
  'document-too-large': {
    what: 'The document is larger than {limitBytes}.',
    impact: 'The transfer was stopped, and nothing is shown or stored.',
    nextStep: 'Open the document at its source, or ask for a smaller one.'
  },
  'document-type-refused': {
    what: 'The link does not lead to a photo or document that can be shown: {reason}.',
    impact: notShown,
    nextStep:
      'Check the link, or ask its source for another format. JPEG, PNG, WebP, AVIF, JPEG 2000 and PDF can be shown.',
    guide: 'Documents',
    reasons: {
      empty: 'the file is empty',
      html: 'it is a web page',
      svg: 'it is an SVG drawing, which can contain scripts',
      xml: 'it is an XML file',
      json: 'it is a JSON text',
      text: 'it is a text',
      zip: 'it is a ZIP archive or an Office document',
      gzip: 'it is a compressed file',
      gif: 'it is a GIF image',
      tiff: 'it is a TIFF image, which can be shown after it was saved as PNG or PDF',
      bmp: 'it is a BMP image',
      video: 'it is a video',
      unknown: 'its type is not known'
    }
  },
  'document-too-many-pixels': {
    what: 'The image has {width} × {height} pixels. One of its kind can be shown up to {limit} pixels, and {maximum} on a side.',
    impact: `${notShown} It was not decoded.`,
    nextStep: 'Ask for a smaller image, or for a JPEG as cameras save it: up to 200 megapixels of that can be shown.'
  },
  'document-damaged': {
    what: 'The beginning of the {type} file is damaged, so its size in pixels cannot be determined.',
    impact: `${notShown} It was not decoded.`,
    nextStep: 'Ask for the document again.'
  }
} as const satisfies FailureRows
