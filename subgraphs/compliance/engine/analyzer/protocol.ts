/** Messages between the scanner and its analyzer processes. One job at a time per process. */
import type { Language } from '../languages.js'
import type { Pack } from '../rulebook/model-schema.js'
import type { ParseLimits } from './parse-limits.js'
import type { FileFindings } from './scan-file.js'

export interface AnalyzeRequest {
  readonly id: number
  readonly code: string
  readonly language: Language
  readonly filename: string
  readonly timeoutMs: number
  readonly maxSteps: number
  readonly parsing?: ParseLimits
  readonly textOnly?: boolean
  /** Sources, sinks and sanitizers of the caller's own configuration. */
  readonly pack?: Pack
}

export type AnalyzeReply =
  | { readonly id: number; readonly ok: true; readonly findings: FileFindings; readonly rssBytes: number }
  | { readonly id: number; readonly ok: false; readonly message: string; readonly rssBytes: number }

export interface ReadyMessage {
  readonly ready: true
}

/** Sent before each stage of a job: nothing is read or sent while one is at work. */
export interface StageMessage {
  readonly stage: {
    /** Processor time of the process until now, in milliseconds. */
    readonly usedMs: number
    /** Processor time that the stage may take. */
    readonly allowedMs: number
  }
}

export type AnalyzerMessage = AnalyzeReply | ReadyMessage | StageMessage
