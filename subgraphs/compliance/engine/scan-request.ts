/** From what a caller sent to files that the engine can scan; every fault names its field by the name that REST and MCP use. */
import { AppError, invalidRequest } from '#platform/errors.js'
import { languages, parseLanguage, type Language } from './languages.js'
import type { ScanFile } from './report/file-result.js'

export interface ScanFileFields {
  readonly code: string
  readonly language: string
  readonly filename?: string | null
}

const MAX_FILENAME_LENGTH = 1_000

/** @throws AppError 400 `unsupported_language` or `invalid_request_error`; `path` is `files[2].` or nothing. */
export function parseScanFile({ code, language, filename }: ScanFileFields, path = ''): ScanFile {
  if (filename != null && (filename === '' || filename.length > MAX_FILENAME_LENGTH)) {
    throw invalidRequest(`A filename has 1 to ${MAX_FILENAME_LENGTH} characters.`, `${path}filename`)
  }
  return { code, language: parseScanLanguage(language, `${path}language`), filename: filename ?? null }
}

/** @throws AppError 400 `unsupported_language` that lists the sixteen. */
function parseScanLanguage(name: string, param: string): Language {
  const language = parseLanguage(name)
  if (language !== undefined) return language
  throw new AppError(
    'unsupported_language',
    `The language "${name.slice(0, 40)}" is not supported. Supported languages: ${languages.join(', ')}.`,
    { param },
  )
}
