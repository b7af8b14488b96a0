// errors.js - the error class of this package, the only one it throws besides AbortError

export class TacoError extends Error {
  // code: a word from STATUS in layout.js, or 'network', 'cors', 'ranges', 'internal'
  // offset: the byte of the file, or the column of the text, at which it failed; null if there is none
  constructor (code, message, offset = null, options = undefined) {
    super(message, options)
    this.name = 'TacoError'
    this.code = code
    this.offset = offset
  }
}
