/** A labelled choice of one. */
import { Field, SELECT } from './field.js'

interface SelectFieldProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly choices: readonly (readonly [value: Value, name: string])[]
  readonly onChange: (value: Value) => void
  readonly error?: string | null
}

export function SelectField<Value extends string>({ label, value, choices, onChange, error = null }: SelectFieldProps<Value>) {
  return (
    <Field label={label} error={error}>
      {({ id, describedBy, isWrong }) => (
        <select
          id={id}
          value={value}
          aria-describedby={describedBy}
          aria-invalid={isWrong || undefined}
          onChange={(event) => {
            const chosen = choices.find(([one]) => one === event.target.value)
            if (chosen) onChange(chosen[0])
          }}
          className={SELECT}
        >
          {choices.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
