/** The enums of compliance as GraphQL sees them. */
import { registerEnumType } from 'type-graphql'
import { codeCheckStatuses } from './answers/code-check.js'
import { confidences, languages, scannerStates, stepKinds } from './engine/index.js'
import { scanStatuses } from './scans/scan.js'

/** A list of words as an enum of the graph: `javascript` is `JAVASCRIPT` there. */
const enumOf = <Word extends string>(words: readonly Word[]) =>
  Object.fromEntries(words.map((word) => [word.toUpperCase(), word])) as { readonly [Own in Word as Uppercase<Own>]: Own }

export { Severity } from '#platform/vocabulary/graph-enums.js'

export const Confidence = enumOf(confidences)
registerEnumType(Confidence, {
  name: 'Confidence',
  description: 'How sure the scanner is.',
  valuesConfig: {
    HIGH: { description: 'Few findings of this kind are wrong.' },
    MEDIUM: { description: 'Worth a look.' },
    LOW: { description: 'Often depends on what the scanner cannot see.' },
  },
})

export const FlowStepKind = enumOf(stepKinds)
registerEnumType(FlowStepKind, {
  name: 'FlowStepKind',
  description: 'What happens to data at a step of its way.',
  valuesConfig: {
    SOURCE: { description: 'It enters the program, or this file.' },
    ASSIGNMENT: { description: 'It passes into a variable or a part of one.' },
    CALL: { description: 'It passes into a function of the file.' },
    SINK: { description: 'It does harm. The last step.' },
  },
})

export const LanguageEnum = enumOf(languages)
registerEnumType(LanguageEnum, {
  name: 'Language',
  description: 'A language that the scanner reads.',
  valuesConfig: Object.fromEntries(
    languages.map((name) => [name.toUpperCase(), { description: `\`${name}\` in the REST API.` }]),
  ),
})

export const ScanStatus = enumOf(scanStatuses)
registerEnumType(ScanStatus, {
  name: 'ScanStatus',
  description: 'How a scan stands.',
  valuesConfig: {
    RUNNING: { description: 'Files are being scanned.' },
    COMPLETED: { description: 'All files were looked at; single ones may have failed. Final.' },
    ERROR: { description: 'No file could be analyzed. Final.' },
  },
})

export const HealthStatus = enumOf(scannerStates)
registerEnumType(HealthStatus, {
  name: 'ScannerHealthStatus',
  description: 'Whether scans are answered.',
  valuesConfig: {
    HEALTHY: { description: 'An analyzer answered a probe in time.' },
    DEGRADED: { description: 'Analyzers answer late, because they are busy.' },
    DOWN: { description: 'No analyzer answers.' },
  },
})

export const CodeCheckStatus = enumOf(codeCheckStatuses)
registerEnumType(CodeCheckStatus, {
  name: 'CodeCheckStatus',
  description: 'How far the code of an answer was looked at.',
  valuesConfig: {
    COMPLETE: { description: 'All blocks in a language of ours.' },
    FAILED: { description: 'Some could not be looked at; the message says why.' },
  },
})
