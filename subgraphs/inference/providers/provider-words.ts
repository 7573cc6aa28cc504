/**
 * What a provider says when it refuses: read out of its error body, cleaned of addresses and keys, and bounded.
 *
 * A refusal of the request goes to the caller who sent it, because it may quote the prompt it never goes into a log. A
 * refusal of the operator's key or model goes to the log and to administrators.
 */
import type { ProviderConfig } from '../ports.js'
import { isObject, type JsonObject } from '../tokens/usage.js'

export interface ProviderWords {
  /** '' when the provider gave none. */
  readonly message: string
  readonly code: string | null
  readonly param: string | null
}

const MESSAGE_CHARACTERS = 500
const ADDRESS = '[address]'
const KEY = '[key]'

const URLS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]+/gi
const EMAILS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const IPV4 = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g
const IPV6 = /\[?\b(?:[\da-f]{0,4}:){3,7}[\da-f]{0,4}\b\]?(?::\d{1,5})?/gi
/** With `::` in it. Without a digit it is more likely a name of C++, Ruby or Rust. */
const SHORT_IPV6 =
  /\[?(?<![\w:])(?=[a-f:]{0,39}\d)[\da-f]{0,4}(?::[\da-f]{1,4}){0,5}::(?:[\da-f]{1,4}(?::[\da-f]{1,4}){0,5})?(?!\w|::)(?:%[\w.-]{1,20})?\]?(?::\d{1,5})?/gi
const SOCKETS = /\bunix:[/@][\w./@:-]*\w|(?<![\w./-])\/[\w./-]*\.sock\b/gi
const HOSTS =
  /\b(?:[a-z0-9-]{1,63}\.)+(?:com|net|org|io|ai|dev|app|cloud|co|xyz|info|local|localdomain|internal|intranet|lan|svc|cluster|example|invalid|test|[a-z]{2})\b(?::\d{1,5})?/gi
const HOST_PORTS = /\b[a-z][a-z0-9-]*:\d{2,5}\b/gi
const LOCALHOST = /\blocalhost\b/gi
const BEARERS = /\bBearer\s+\S+/gi
/** What a header says, and what is whole groups of base64 by itself: "basic support" is neither. */
const BASICS =
  /(?<=\b[Aa]uthorization\W{1,4})[Bb]asic\s+[^\s"',]+|\b[Bb]asic\s+(?=[\w+/]*(?:[a-z][A-Z]|\d|={1,2}))(?:[A-Za-z\d+/]{4})+(?:[A-Za-z\d+/]{2,3}={1,2})?(?![\w+/=])/g
/** Keys of the common vendors, also half-hidden ones such as sk-ab****cd. */
const KEYS = /\b(?:sk|pk|rk|gsk|xai|hf|slk|key|api|nvapi|fw|tgp)[-_][\w*.…-]{4,}/gi
/** Nothing that a person writes is this long and this mixed. */
const SECRETS = /\b(?=[\w+/=-]*\d)(?=[\w+/=-]*[a-z])[\w+/=-]{32,}/gi

/** A provider's text without addresses and keys, on one line. */
export function cleanWords(text: string, provider: Pick<ProviderConfig, 'baseUrl' | 'apiKey'>): string {
  let clean = text.slice(0, MESSAGE_CHARACTERS * 8)
  if (provider.apiKey) clean = clean.replaceAll(provider.apiKey, KEY)
  clean = clean.replaceAll(URLS, ADDRESS).replaceAll(EMAILS, ADDRESS).replaceAll(new URL(provider.baseUrl).hostname, ADDRESS)
  clean = clean.replaceAll(BEARERS, KEY).replaceAll(BASICS, KEY).replaceAll(KEYS, KEY).replaceAll(SECRETS, KEY)
  for (const address of [SOCKETS, IPV4, SHORT_IPV6, IPV6, HOSTS, HOST_PORTS, LOCALHOST])
    clean = clean.replaceAll(address, ADDRESS)
  clean = clean.replaceAll(/\p{Cc}+/gu, ' ').trim()
  return clean.length > MESSAGE_CHARACTERS ? `${clean.slice(0, MESSAGE_CHARACTERS - 1).trimEnd()}…` : clean
}

/** Reads an error body: OpenAI's shape, that of FastAPI, or plain text that is no page. */
export function readWords(body: string, provider: Pick<ProviderConfig, 'baseUrl' | 'apiKey'>): ProviderWords {
  const fields = errorFields(body)
  const message = cleanWords(textOf(fields['message'] ?? fields['msg'] ?? fields['detail']), provider)
  const code = identifier(fields['code'])
  const param = identifier(Array.isArray(fields['loc']) ? fields['loc'].slice(1).join('.') : fields['param'])
  return { message, code, param }
}

function errorFields(body: string): JsonObject {
  let parsed: unknown
  try {
    parsed = JSON.parse(body)
  } catch {
    return body.includes('<') ? {} : { message: body }
  }
  if (Array.isArray(parsed)) parsed = parsed[0]
  if (!isObject(parsed)) return {}
  const { error, detail } = parsed
  if (isObject(error)) return error
  if (typeof error === 'string') return { ...parsed, message: error }
  if (Array.isArray(detail) && isObject(detail[0])) return detail[0]
  return parsed
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A short machine-readable word, as codes and names of fields are. */
function identifier(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : textOf(value)
  return /^[\w.[\]$-]{1,100}$/.test(text) ? text : null
}
