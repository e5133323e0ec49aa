/** Print settings, the same in both windowed hosts. */

/** Page numbers at the foot; the classes are defined by Chromium. */
export const printFooter =
  '<div style="width:100%;font-size:7pt;text-align:center;color:#444"><span class="pageNumber"></span> / <span class="totalPages"></span></div>'
export const printHeader = '<span></span>'
/** Milliseconds after which printing is abandoned. */
export const printLimit = 60_000
/** Whatever the page contains, it cannot run scripts, load resources, embed frames or navigate. */
export const printPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
