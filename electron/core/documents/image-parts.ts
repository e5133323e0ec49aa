/** What the structure of an image says before anything is decoded. */
export interface ImageParts {
  readonly width: number
  readonly height: number
  /** `cut`: the file ends before the image does. `damaged`: a part of it does not match its checksum. */
  readonly fault?: 'cut' | 'damaged' | undefined
  /** A decoder can make it smaller while it decodes, row by row, so that a large one needs little memory. */
  readonly scalable?: boolean
  /** The EXIF block: a TIFF structure. Absent if there is none. */
  readonly exif?: Buffer
  /** The XMP packet: a text. Absent if there is none. */
  readonly xmp?: Buffer
}
