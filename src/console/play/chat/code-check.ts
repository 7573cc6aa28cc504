/** What the scanner says about the code of an answer, block by block as it comes. */
import type { PlayChatSubscription } from '../../../generated/console.js'

type News = Extract<NonNullable<PlayChatSubscription['chatCompletion']>, { __typename: 'ChatCodeFindings' }>

export interface CodeFinding {
  readonly block: number
  readonly language: string
  readonly severity: 'critical' | 'high' | 'medium' | 'low'
  readonly rule: string
  readonly message: string
  readonly suggestion: string
  /** Of the block, from 1. */
  readonly line: number
  readonly cwe: readonly string[]
}

export interface CodeCheck {
  /** Pieces of code that were looked at. */
  readonly blocks: number
  readonly findings: readonly CodeFinding[]
  /** The key does not let such code through. */
  readonly isBlocked: boolean
  /** Why findings may be missing. */
  readonly fault: string | null
}

/** The form of the scan API within an answer's finding. */
interface FindingBody {
  readonly block: number
  readonly language: string
  readonly violation: Pick<CodeFinding, 'severity' | 'rule' | 'message' | 'suggestion' | 'line' | 'cwe'>
}

const findingOf = ({ block, language, violation }: FindingBody): CodeFinding => {
  const { severity, rule, message, suggestion, line, cwe } = violation
  return { block, language, severity, rule, message, suggestion, line, cwe }
}

export function withNews(before: CodeCheck | null, { findings, isBlocked, fault }: News): CodeCheck {
  const found = findings.map((finding) => findingOf(finding as unknown as FindingBody))
  return {
    blocks: (before?.blocks ?? 0) + 1,
    findings: [...(before?.findings ?? []), ...found].toSorted((a, b) => a.block - b.block || a.line - b.line),
    isBlocked: isBlocked || before?.isBlocked === true,
    fault: before?.fault ?? fault,
  }
}
