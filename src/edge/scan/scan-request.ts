/** Reads the bodies of scan requests: types only, and only the contract's fields; what the texts may be is the domain's to check. */
import { invalidRequest } from '#platform/errors.js'

export interface FileRequest {
  readonly code: string
  readonly language: string
  readonly filename: string | null
}

export interface ScanCodeRequest extends FileRequest {
  readonly standards: string[]
}

export interface BatchScanRequest {
  readonly files: FileRequest[]
  readonly standards: string[]
}

type Body = Readonly<Record<string, unknown>>

/** @throws AppError 400 that names the field at fault. */
export const parseScanCode = (body: Body): ScanCodeRequest => ({ ...fileOf(body, ''), standards: standardsOf(body) })

/** @throws AppError 400 that names the field at fault, such as `files[2].code`. */
export function parseBatchScan(body: Body): BatchScanRequest {
  const { files } = body
  if (!Array.isArray(files)) throw invalidRequest('"files" is an array of objects with code and language.', 'files')
  const parsed = files.map((file: unknown, at) => {
    if (file === null || typeof file !== 'object' || Array.isArray(file)) {
      throw invalidRequest(`"files[${at}]" is an object with code and language.`, `files[${at}]`)
    }
    return fileOf(file as Body, `files[${at}].`)
  })
  return { files: parsed, standards: standardsOf(body) }
}

function fileOf(fields: Body, path: string): FileRequest {
  const { filename } = fields
  if (filename !== undefined && filename !== null && typeof filename !== 'string') {
    throw invalidRequest(`"${path}filename" is a string.`, `${path}filename`)
  }
  return {
    code: requiredText(fields, 'code', path),
    language: requiredText(fields, 'language', path),
    filename: filename ?? null,
  }
}

function requiredText(fields: Body, name: string, path: string): string {
  const value = fields[name]
  if (typeof value === 'string') return value
  const field = `${path}${name}`
  throw invalidRequest(value === undefined ? `"${field}" is required.` : `"${field}" is a string.`, field)
}

function standardsOf({ standards }: Body): string[] {
  if (standards === undefined || standards === null) return []
  const isTexts = Array.isArray(standards) && standards.every((name) => typeof name === 'string')
  if (!isTexts) throw invalidRequest('"standards" is an array of names.', 'standards')
  return standards
}
