/** A labelled input, with a hint or with what is wrong. */
import { useId, type ReactNode } from 'react'
import { classes } from '../classes.js'

interface FieldProps {
  readonly label: string
  readonly hint?: string
  readonly error?: string | null
  readonly children: (ids: {
    readonly id: string
    readonly describedBy: string | undefined
    readonly isWrong: boolean
  }) => ReactNode
}

/** Any control with a label. */
export function Field({ label, hint, error = null, children }: FieldProps) {
  const id = useId()
  const said = error ?? hint
  const describedBy = said === undefined ? undefined : `${id}-said`
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-xs font-medium">
        {label}
      </label>
      {children({ id, describedBy, isWrong: error !== null })}
      {said !== undefined && (
        <p id={describedBy} className={classes('text-xs', error === null ? 'text-muted' : 'text-bad')}>
          {said}
        </p>
      )}
    </div>
  )
}

export const CONTROL =
  'w-full rounded-md border border-edge/60 bg-surface px-2.5 text-sm aria-invalid:border-bad disabled:opacity-50 focus-visible:outline-offset-0'

/** With room for the arrow, which the style sheet draws. */
export const SELECT = `${CONTROL} h-8 pr-6.5`

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly hint?: string
  readonly error?: string | null
  readonly type?: 'text' | 'password'
  readonly placeholder?: string
  readonly autoComplete?: string
  readonly autoFocus?: boolean
  readonly inputMode?: 'decimal' | 'numeric'
  readonly isMonospaced?: boolean
  /** What may be chosen beside what may be typed. */
  readonly suggestions?: readonly string[]
}

export const TextField = ({
  label,
  hint,
  error = null,
  onChange,
  isMonospaced = false,
  type = 'text',
  suggestions,
  ...rest
}: TextFieldProps) => (
  <Field label={label} error={error} {...(hint !== undefined && { hint })}>
    {({ id, describedBy, isWrong }) => (
      <>
        <input
          id={id}
          type={type}
          aria-describedby={describedBy}
          aria-invalid={isWrong || undefined}
          spellCheck={false}
          className={classes(CONTROL, 'h-8', isMonospaced && 'font-mono')}
          onChange={(event) => onChange(event.target.value)}
          {...(suggestions && { list: `${id}-list` })}
          {...rest}
        />
        {suggestions && (
          <datalist id={`${id}-list`}>
            {suggestions.map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
        )}
      </>
    )}
  </Field>
)

interface TextAreaFieldProps extends Pick<
  TextFieldProps,
  'label' | 'value' | 'onChange' | 'hint' | 'error' | 'placeholder' | 'isMonospaced'
> {
  readonly rows: number
}

export const TextAreaField = ({ label, hint, error = null, onChange, isMonospaced = false, ...rest }: TextAreaFieldProps) => (
  <Field label={label} error={error} {...(hint !== undefined && { hint })}>
    {({ id, describedBy, isWrong }) => (
      <textarea
        id={id}
        aria-describedby={describedBy}
        aria-invalid={isWrong || undefined}
        spellCheck={false}
        className={classes(CONTROL, 'resize-y py-1.5', isMonospaced && 'font-mono text-xs')}
        onChange={(event) => onChange(event.target.value)}
        {...rest}
      />
    )}
  </Field>
)
