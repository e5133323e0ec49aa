/** Said where a search cannot be answered, in the window and on the command line. */
export const searchTooShort =
  'The search text is too short, so no records are listed. Enter three characters or more, two of Chinese, Japanese or Korean, or a complete applicant ID.'
