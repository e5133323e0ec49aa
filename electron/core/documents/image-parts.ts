/** What the structure of an image says before anything is decoded. */
export interface ImageParts {
  readonly width: number
  readonly height: number
  /** The EXIF block: a TIFF structure. Absent if there is none. */
  readonly exif?: Buffer
  /** The XMP packet: a text. Absent if there is none. */
  readonly xmp?: Buffer
}
