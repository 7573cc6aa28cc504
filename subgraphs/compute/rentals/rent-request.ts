/** Reads a rent request strictly: whatever goes on to a provider or into a command is checked here, once. */
import { invalidRequest } from '#platform/errors.js'
import { parseUsd, type NanoUsd } from '#platform/money.js'
import { MAX_LABEL } from '../sessions/session.js'
import type { RentGpuInput } from './rental-type.js'

/** What a rent request says once it is checked. Fields that are named like a column of the session become that column. */
export type RentRequest = ReturnType<typeof parseRentRequest>

/** One line of authorized_keys without options: type, base64 key, optional comment without control characters. */
const SSH_KEY =
  /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) ([A-Za-z0-9+/]{4,12000}={0,3})(?: [\x21-\x7e][\x20-\x7e]{0,199})?$/
/** registry[:port]/path[:tag][@digest], in the characters that image references may have. */
const DOCKER_IMAGE =
  /^(?:[a-z0-9]+(?:[.-][a-z0-9]+)*(?::\d{1,5})?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?:@sha256:[a-f0-9]{64})?$/
const MODEL_ID = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,198}$/
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,62}$/

/** @throws AppError 400 naming the field at fault, such as `sshKey`. */
export function parseRentRequest(input: RentGpuInput) {
  const request = {
    gpuModel: name(input.gpuModel, 'gpuModel'),
    providerId: isAbsent(input.providerId) ? null : name(input.providerId, 'providerId'),
    region: isAbsent(input.region) ? null : name(input.region, 'region'),
    spot: input.spot ?? null,
    modelId: modelId(input.modelId),
    dockerImage: dockerImage(input.dockerImage),
    sshKey: sshKey(input.sshKey),
    fineTuned: input.fineTuned ?? false,
    renterLabel: label(input.label),
    maxPricePerGpuHour: maxPrice(input.maxPricePerGpuHour),
  }
  if (request.modelId === null && request.dockerImage === null && request.sshKey === null) {
    throw invalidRequest('Say what the GPU is for: one of modelId, dockerImage or sshKey is required.', 'modelId')
  }
  if (request.fineTuned && request.modelId === null) {
    throw invalidRequest('fineTuned needs the modelId of the fine-tuned variant.', 'fineTuned')
  }
  return request
}

const isAbsent = (value: string | null | undefined): value is null | undefined => value === null || value === undefined

function name(value: string, param: string): string {
  if (!NAME.test(value)) throw invalidRequest(`${param} is not a name such as the offers list shows.`, param)
  return value
}

function modelId(value: string | null | undefined): string | null {
  if (isAbsent(value)) return null
  if (!MODEL_ID.test(value) || value.includes('..') || value.includes('//'))
    throw invalidRequest('modelId is not a model id.', 'modelId')
  return value
}

function dockerImage(value: string | null | undefined): string | null {
  if (isAbsent(value)) return null
  if (value.length > 512 || !DOCKER_IMAGE.test(value)) {
    throw invalidRequest('dockerImage is not an image reference such as "vllm/vllm-openai:v0.11.0".', 'dockerImage')
  }
  return value
}

/**
 * The key begins with its length-prefixed type, which must match the word before it, so that not just any base64 passes. What
 * follows is for the machine to judge.
 */
function sshKey(value: string | null | undefined): string | null {
  if (isAbsent(value)) return null
  const line = value.trim()
  const match = SSH_KEY.exec(line)
  const type = line.slice(0, line.indexOf(' '))
  const begin = Buffer.from(`\0\0\0${String.fromCharCode(type.length)}${type}`, 'latin1')
  const blob = Buffer.from(match?.[1] ?? '', 'base64').subarray(0, begin.length)
  if (!match || !begin.subarray(0, blob.length).equals(blob)) {
    throw invalidRequest('sshKey is not one public key in OpenSSH format, such as "ssh-ed25519 AAAA... me@host".', 'sshKey')
  }
  return line
}

/** One line of text; a character may be two units long. */
function label(value: string | null | undefined): string | null {
  if (isAbsent(value)) return null
  if (value.trim() === '' || Array.from(value).length > MAX_LABEL || /\p{Cc}/u.test(value)) {
    throw invalidRequest(`label is 1 to ${MAX_LABEL} characters on one line, not all of them spaces.`, 'label')
  }
  return value
}

function maxPrice(value: string | null | undefined): NanoUsd | null {
  if (isAbsent(value)) return null
  const price = parseUsd(value, 'maxPricePerGpuHour')
  if (price <= 0n) throw invalidRequest('maxPricePerGpuHour must be above zero.', 'maxPricePerGpuHour')
  return price
}
