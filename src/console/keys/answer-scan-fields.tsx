/** The fields of what a key demands of the code in answers. */
import { useQuery } from 'urql'
import {
  KeysStandardsDocument,
  type AnswerScanMode,
  type AnswerScanPolicyInput,
  type Severity,
} from '../../generated/console-keys.js'
import { SelectField } from '../ui/forms/select-field.js'
import type { KeyRow } from './key-state.js'
import { toggled } from '../ui/forms/toggled.js'

const MODES = [
  ['none', 'Not scanned'],
  ['REPORT', 'Scanned and told'],
  ['BLOCK', 'Withheld if it breaks rules'],
] as const satisfies readonly (readonly [AnswerScanMode | 'none', string])[]

const SEVERITIES = [
  ['LOW', 'Low and above'],
  ['MEDIUM', 'Medium and above'],
  ['HIGH', 'High and above'],
  ['CRITICAL', 'Critical only'],
] as const satisfies readonly (readonly [Severity, string])[]

interface TypedAnswerScan {
  readonly mode: AnswerScanMode | 'none'
  readonly minSeverity: Severity
  readonly standards: readonly string[]
}

/** As the fields show it. */
export const typedAnswerScan = (policy: KeyRow['answerScan']): TypedAnswerScan =>
  policy ?? { mode: 'none', minSeverity: 'LOW', standards: [] }

/** As the server takes it; null for nothing. */
export const answerScanOf = ({ mode, minSeverity, standards }: TypedAnswerScan): AnswerScanPolicyInput | null =>
  mode === 'none' ? null : { mode, minSeverity, standards: [...standards] }

interface AnswerScanFieldsProps {
  readonly typed: TypedAnswerScan
  readonly onChange: (typed: TypedAnswerScan) => void
}

export function AnswerScanFields({ typed, onChange }: AnswerScanFieldsProps) {
  return (
    <>
      <SelectField label="Code in answers" value={typed.mode} choices={MODES} onChange={(mode) => onChange({ ...typed, mode })} />
      {typed.mode !== 'none' && (
        <>
          <SelectField
            label="What counts"
            value={typed.minSeverity}
            choices={SEVERITIES}
            onChange={(minSeverity) => onChange({ ...typed, minSeverity })}
          />
          <Standards chosen={typed.standards} onChange={(standards) => onChange({ ...typed, standards })} />
        </>
      )}
    </>
  )
}

interface StandardsProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

function Standards({ chosen, onChange }: StandardsProps) {
  const [{ data }] = useQuery({ query: KeysStandardsDocument })
  const offered = data?.scannerConfig?.standards ?? []
  return (
    <fieldset className="grid min-w-0 gap-1.5 md:col-span-2">
      <legend className="mb-1.5 text-xs font-medium">
        Standards: {chosen.length === 0 ? 'every one' : `only ${chosen.length}`}
      </legend>
      {offered.map(({ name }) => (
        <label key={name} className="flex items-center gap-2">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={chosen.includes(name)}
            onChange={() => onChange(toggled(chosen, name))}
          />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
