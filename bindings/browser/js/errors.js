// errors.js - the one class of failures that this package throws (beside AbortError).

export class TacoError extends Error {
  // code: a word of layout.js's STATUS, or 'network', 'cors', 'ranges', 'internal'; offset: the byte of the file, or
  // the column of the text, that the failure is about; null where there is none
  constructor (code, message, offset = null, options = undefined) {
    super(message, options)
    this.name = 'TacoError'
    this.code = code
    this.offset = offset
  }
}
