/** What findings and rules are narrowed by, beside what is typed: how bad, and by which standard. */
import type { Severity } from '../../../generated/console-scan.js'
import { FilterChoice } from '../../ui/forms/filter-bar.js'
import { SEVERITIES, type ScanSearch } from '../scan-search.js'
import { severityName } from './severity.js'

interface FindingFiltersProps {
  readonly search: Pick<ScanSearch, 'severity' | 'standard'>
  /** Those that there are. */
  readonly standards: readonly string[]
  /** What stands behind the name of a severity, such as a count. */
  readonly note?: (severity: Severity) => string
  readonly change: (changed: { readonly severity?: Severity | undefined; readonly standard?: string | undefined }) => void
}

export const FindingFilters = ({ search, standards, note = () => '', change }: FindingFiltersProps) => (
  <>
    <FilterChoice
      label="Severity"
      every="Every severity"
      value={search.severity}
      choices={SEVERITIES.map((one) => [one, severityName(one) + note(one)])}
      onChange={(severity) => change({ severity })}
    />
    <FilterChoice
      label="Standard"
      every="Every standard"
      value={search.standard}
      choices={standards.map((one) => [one, one])}
      onChange={(standard) => change({ standard })}
    />
  </>
)
